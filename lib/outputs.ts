/** The values of a stack’s outputs, by name, each with its description. */
export type Outputs = Readonly<Record<string, readonly [value: string, description: string]>>;
