import type { LabRequest } from '../server/lab-server.js';
import type { TransakToken } from './lists.js';
import { purchaseOf, type Purchase } from './pricing.js';

export interface Session extends Purchase {
  createdAt: number;
  isOpened: boolean;
  wallet: string;
  partnerOrderId: string;
  partnerCustomerId: string | null;
  redirectUrl: string | null;
  userIp: string;
}

interface Expected {
  apiKey: string;
  tokens: readonly TransakToken[];
}

const IP = /^(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9a-f:]*:[0-9a-f:.]*)$/i;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads the request for a session; a text is the reason of a refusal. */
export function readSession(
  { headers, body }: LabRequest,
  { apiKey, tokens }: Expected,
): Session | string {
  const { widgetParams: params = {} } = JSON.parse(body.toString('utf8')) as {
    widgetParams?: Readonly<Record<string, unknown>>;
  };
  const userIp = textOf(headers['x-user-ip']);
  if (!IP.test(userIp)) return 'x-user-ip is required';
  if (params['apiKey'] !== apiKey || !params['referrerDomain']) {
    return 'apiKey and referrerDomain are required';
  }
  const wallet = textOf(params['walletAddress']);
  if (!wallet || params['disableWalletAddressForm'] !== true) return 'the address is not locked';
  const purchase = purchaseOf(tokens, {
    symbol: textOf(params['cryptoCurrencyCode']),
    network: textOf(params['network']),
    fiat: textOf(params['fiatCurrency']),
    option: textOf(params['paymentMethod']),
    fiatAmount: Number(params['fiatAmount']),
  });
  if (typeof purchase === 'string') return purchase;
  return {
    ...purchase,
    createdAt: Date.now(),
    isOpened: false,
    wallet,
    partnerOrderId: textOf(params['partnerOrderId']),
    partnerCustomerId: textOf(params['partnerCustomerId']) || null,
    redirectUrl: textOf(params['redirectURL']) || null,
    userIp,
  };
}
