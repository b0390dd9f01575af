/** The same function of a text. The results of the first texts are kept: a file repeats a few. */
export function remembered<Result>(of: (text: string) => Result, most = 5000): (text: string) => Result {
  const known = new Map<string, { readonly result: Result }>();
  return (text) => {
    let found = known.get(text);
    if (found === undefined) {
      found = { result: of(text) };
      if (known.size < most) known.set(text, found);
    }
    return found.result;
  };
}
