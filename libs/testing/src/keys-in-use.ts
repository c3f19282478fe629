/** Names of the keys of a variable that a service uses now, the first one first; read from its metrics. */
export async function keysInUse(operationsUrl: string, variable: string): Promise<string[]> {
  const page = await (await fetch(`${operationsUrl}/metrics`)).text();
  const found = [...page.matchAll(/^secret_keys\{(.*)\} 1$/gm)].map(([, labels = '']) =>
    Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    ),
  );
  return found
    .filter((labels) => labels['variable'] === variable)
    .sort(
      (one, other) => Number(other['position'] === 'first') - Number(one['position'] === 'first'),
    )
    .map(({ kid = '' }) => kid);
}
