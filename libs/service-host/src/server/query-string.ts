/** `name[]=a&name[]=b` gives `{name: ['a', 'b']}`; a plain name given twice gives an array too, which no scalar field accepts. */
export function parseQueryString(text: string): Record<string, string | string[]> {
  if (text === '') return {};
  const values = new Map<string, string | string[]>();
  for (const [key, value] of new URLSearchParams(text)) {
    const isList = key.endsWith('[]');
    const name = isList ? key.slice(0, -2) : key;
    const earlier = values.get(name);
    if (earlier === undefined) values.set(name, isList ? [value] : value);
    else if (Array.isArray(earlier)) earlier.push(value);
    else values.set(name, [earlier, value]);
  }
  return Object.fromEntries(values);
}
