/** Query parameter with the credential of a payment's link; never forwarded. */
export const LINK_TOKEN_PARAMETER = 'token';

/** Builds the service's path from the route and its parameters; the client's path is never copied. */
export function fillPath(template: string, parameters: Readonly<Record<string, string>>): string {
  return template.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  );
}

/** Returns the client's query unchanged, less the parameter `without`. */
export function queryOf(url: string, without?: string): string {
  const start = url.indexOf('?');
  if (start === -1) return '';
  if (without === undefined) return url.slice(start);
  const kept = url
    .slice(start + 1)
    .split('&')
    .filter((pair) => pair !== '' && pair.split('=', 1)[0] !== without);
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}
