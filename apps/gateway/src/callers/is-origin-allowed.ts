/** Whether a request of a browser page may use a key; a request without an origin is no browser's. */
export const isOriginAllowed = (
  origin: string | undefined,
  allowedOrigins: readonly string[] | null,
): boolean =>
  origin === undefined || allowedOrigins === null || allowedOrigins.includes(origin.toLowerCase());
