import type { Hex } from 'viem';
import type { Offer } from '../offers/offer.js';
import { OFFERS } from '../offers/offers.js';

/** Configuration of one simulated provider. */
export interface SimulatedProvider {
  offer: Offer;
  apiKey: string;
  walletPrivateKey: Hex;
  /** Null without callbacks: partners have to poll. */
  callbackUrl: string | null;
  callbackSecret: string;
}

/** Reads `SANDBOX_PROVIDERS`; error messages contain no values. */
export function parseSimulatedProviders(text: string): readonly SimulatedProvider[] {
  const items: unknown = JSON.parse(text);
  if (!Array.isArray(items) || items.length === 0) throw new Error('expected a list of providers');
  const providers = items.map((item: unknown) => simulatedProvider(item));
  const names = new Set(providers.map((provider) => provider.offer.name));
  const keys = new Set(providers.map((provider) => provider.walletPrivateKey));
  if (names.size < providers.length) throw new Error('expected every provider once');
  if (keys.size < providers.length) throw new Error('expected a wallet of its own per provider');
  return providers;
}

function simulatedProvider(item: unknown): SimulatedProvider {
  if (typeof item !== 'object' || item === null)
    throw new Error('expected each provider as an object');
  const fields = item as Record<string, unknown>;
  const text = (name: string): string => {
    const value = fields[name];
    if (typeof value !== 'string' || value === '') throw new Error(`expected ${name}`);
    return value;
  };
  const offer = OFFERS.get(text('name'));
  if (offer === undefined) throw new Error(`expected one of ${[...OFFERS.keys()].join(', ')}`);
  const walletPrivateKey = text('wallet_private_key');
  if (!/^0x[0-9a-fA-F]{64}$/.test(walletPrivateKey)) {
    throw new Error('expected wallet_private_key as 32 bytes of hex');
  }
  const callbackUrl = fields.callback_url === undefined ? null : text('callback_url');
  if (callbackUrl !== null && !/^https?:\/\//.test(callbackUrl)) {
    throw new Error('expected an http(s) callback_url');
  }
  return {
    offer,
    apiKey: text('api_key'),
    walletPrivateKey: walletPrivateKey as Hex,
    callbackUrl,
    callbackSecret: text('callback_secret'),
  };
}
