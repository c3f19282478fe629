/** Headers of every delivery besides its signature; support sees the same. */
export function fixedHeaders(userAgent: string): Record<string, string> {
  return {
    accept: '*/*',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    'user-agent': userAgent,
  };
}

export const userAgentOf = (version: string): string => `Bascule-Webhooks/${version}`;
