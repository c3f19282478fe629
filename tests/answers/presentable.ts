import type { StackFile } from '@bascule/composition';

/** Elements of lists that a reader sees. */
const SHOWN: Record<string, number> = { quotes: 1, tokens: 3, entries: 2, deliveries: 1 };

/** Made-up values in place of credentials. */
const CREDENTIALS: Record<string, string> = {
  state_token: 'eyJhbGciOiJkaXIi',
  signing_secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
};

/** Shortens lists, and replaces credentials and addresses of this machine. */
export function presentable<T>(answers: T, { base_url, funding_page_base }: StackFile): T {
  return JSON.parse(JSON.stringify(answers), (key, value: unknown) => {
    if (Array.isArray(value)) return (value as unknown[]).slice(0, SHOWN[key]);
    if (typeof value !== 'string') return value;
    return (CREDENTIALS[key] ?? value)
      .replaceAll(funding_page_base, 'https://pay.example')
      .replaceAll(`${base_url}/health/live`, 'https://shop.example/hooks/payments')
      .replaceAll(base_url, 'https://pay.example')
      .replace(/token=[^&]+/, 'token=eyJhbGciOiJkaXIi')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:8545');
  }) as T;
}
