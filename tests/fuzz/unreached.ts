/** Statuses that requests of a program met, by method and path. */
export type Statuses = Readonly<Record<string, readonly number[]>>;

/** Signed by providers, so not to be had by a client. */
const OF_PROVIDERS = ['POST /providers/{name}/callbacks'];

interface Described {
  paths: Record<string, Record<string, { 'x-secret-key-only'?: true }>>;
}

const operationsOf = ({ paths }: Described) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({
      name: `${verb.toUpperCase()} ${path}`,
      isSecretOnly: operation['x-secret-key-only'] === true,
    })),
  );

const isSuccess = (status: number): boolean => status >= 200 && status < 400;

/**
 * Lists the operations that never succeeded, and those that a publishable key reached although it may not.
 * @param isPublishable whether the requests had a publishable key
 */
export function unreachedOperations(
  description: Described,
  statuses: Statuses,
  isPublishable = false,
): string[] {
  return operationsOf(description).flatMap(({ name, isSecretOnly }) => {
    const found = statuses[name] ?? [];
    const isReached = found.some(isSuccess);
    if (isPublishable && isSecretOnly) {
      return isReached ? [`${name}: a publishable key reached it`] : [];
    }
    return isReached || OF_PROVIDERS.includes(name)
      ? []
      : [`${name}: no success, but ${found.join(', ') || 'no request'}`];
  });
}
