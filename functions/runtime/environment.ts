/** The environment of a function, as an argument: it is read when the services are built, never at import. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Value of a variable that the stack sets; its absence is a fault of the deployment. */
export function variable(environment: Environment, name: string): string {
  const value = environment[name];
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
