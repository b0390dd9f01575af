/** The same function of a text or number. The results of the first ones are kept: a file repeats a few. */
export function remembered<Result, Key = string>(of: (key: Key) => Result, most = 5000): (key: Key) => Result {
  const known = new Map<Key, { readonly result: Result }>();
  return (key) => {
    let found = known.get(key);
    if (found === undefined) {
      found = { result: of(key) };
      if (known.size < most) known.set(key, found);
    }
    return found.result;
  };
}
