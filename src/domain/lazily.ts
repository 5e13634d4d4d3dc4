/** Makes something at its first use: tables that few requests need do not hold up the start. */
export function lazily<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}
