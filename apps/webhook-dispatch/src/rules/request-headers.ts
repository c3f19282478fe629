/** What a delivery says of itself beside its signature; the same when it is shown to support. */
export function fixedHeaders(userAgent: string): Record<string, string> {
  return {
    accept: '*/*',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    'user-agent': userAgent,
  };
}

export const userAgentOf = (version: string): string => `Bascule-Webhooks/${version}`;
