import { createHmac } from 'node:crypto';

/** Encodes what `encodeURIComponent` leaves too: a browser changes an apostrophe, which would break the signature. */
const encode = (value: string): string =>
  encodeURIComponent(value).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * Signs the URL of the widget: base64 HMAC-SHA256 of its query with the leading `?`, appended as the last parameter.
 * Without the signature the widget does not take a wallet address.
 */
export function signedUrl(
  checkoutUrl: string,
  parameters: Readonly<Record<string, string>>,
  secretKey: string,
): string {
  const query = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join('&');
  const signature = createHmac('sha256', secretKey).update(`?${query}`).digest('base64');
  const page = new URL(checkoutUrl);
  return `${page.origin}${page.pathname}?${query}&signature=${encodeURIComponent(signature)}`;
}
