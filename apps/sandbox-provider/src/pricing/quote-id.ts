import { createHmac, timingSafeEqual } from 'node:crypto';

/** Terms of a quote, encoded in its id so that quotes need no storage and survive restarts. */
export interface QuotedOrder {
  fiat: string;
  fiat_amount: string;
  payment_method: string;
  network: string;
  contract: string;
  /** Smallest units. */
  crypto_amount: string;
  fee_total: string;
  /** Milliseconds since the epoch. */
  expires: number;
}

export function sealQuote(quote: QuotedOrder, secret: string): string {
  const content = Buffer.from(JSON.stringify(quote)).toString('base64url');
  return `${content}.${mac(content, secret).toString('base64url')}`;
}

/** Decodes a quote id; null unless this provider issued it. */
export function openQuote(id: string, secret: string): QuotedOrder | null {
  const [content = '', signature = ''] = id.split('.');
  const given = Buffer.from(signature, 'base64url');
  const expected = mac(content, secret);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return JSON.parse(Buffer.from(content, 'base64url').toString('utf8')) as QuotedOrder;
}

const mac = (content: string, secret: string): Buffer =>
  createHmac('sha256', secret).update(`quote.${content}`).digest().subarray(0, 16);
