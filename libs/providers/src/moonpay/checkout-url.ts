import { createHmac } from 'node:crypto';

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
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const signature = createHmac('sha256', secretKey).update(`?${query}`).digest('base64');
  const page = new URL(checkoutUrl);
  return `${page.origin}${page.pathname}?${query}&signature=${encodeURIComponent(signature)}`;
}
