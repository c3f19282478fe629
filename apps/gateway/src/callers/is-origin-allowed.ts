/** Whether a page's origin may use a key; requests without an origin do not come from browsers. */
export const isOriginAllowed = (
  origin: string | undefined,
  allowedOrigins: readonly string[] | null,
): boolean =>
  origin === undefined || allowedOrigins === null || allowedOrigins.includes(origin.toLowerCase());
