import { UnreadableAnswer, type JsonObject } from '../wire/json-object.js';

export interface TransakHosts {
  gatewayUrl: string;
  /** Origin of the pages at which customers pay. */
  checkoutOrigin: string;
}

const HOST = /^(?:api|api-gateway|global)(-stg)?\.transak\.com$/;
const FIELDS = ['base_url', 'gateway_url', 'checkout_url'] as const;

/** Tells whether a URL is of Transak's staging; undefined for another host, such as a proxy. */
function isStaging(url: string): boolean | undefined {
  const [match, staging] = HOST.exec(new URL(url).hostname) ?? [];
  return match === undefined ? undefined : staging !== undefined;
}

/**
 * Reads the hosts of an entry. Keys do not show their mode, but hosts do: those of staging and live, and staging without
 * `sandbox` or live with it, would mix play money and real money.
 *
 * @throws UnreadableAnswer
 */
export function readHosts(entry: JsonObject): TransakHosts {
  const modes = FIELDS.flatMap((field) => isStaging(entry.httpUrl(field)) ?? []);
  const isSandbox = entry.has('sandbox') && entry.boolean('sandbox');
  if (modes.some((mode) => mode !== isSandbox)) {
    throw new UnreadableAnswer(
      FIELDS.join(', '),
      'of one mode: hosts of staging with "sandbox": true, or live ones without it',
    );
  }
  return {
    gatewayUrl: entry.httpUrl('gateway_url'),
    checkoutOrigin: new URL(entry.httpUrl('checkout_url')).origin,
  };
}
