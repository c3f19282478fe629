import type { PaymentMethod } from '@bascule/contracts';
import { UnreadableAnswer, type JsonObject } from '../wire/json-object.js';
import { readHosts, type TransakHosts } from './hosts.js';
import { readMethods, type TransakMethods } from './payment-methods.js';

/** Fields of a Transak entry in `PROVIDERS` beside the common ones. */
export interface TransakSettings extends TransakHosts {
  /** Gets access tokens. */
  apiSecret: string;
  /** Our domain, as it is registered with Transak. */
  referrerDomain: string;
  table: TransakMethods;
  methods: readonly PaymentMethod[];
}

const DOMAIN = /^[a-z0-9.-]{1,253}(?::[0-9]{1,5})?$/i;

function readDomain(entry: JsonObject): string {
  const domain = entry.string('referrer_domain');
  if (DOMAIN.test(domain)) return domain;
  throw new UnreadableAnswer('referrer_domain', 'a domain such as pay.example.com');
}

/** @throws UnreadableAnswer */
export function readTransakSettings(entry: JsonObject): TransakSettings {
  const table = readMethods(entry);
  return {
    ...readHosts(entry),
    apiSecret: entry.string('api_secret'),
    referrerDomain: readDomain(entry),
    table,
    methods: table.read(entry),
  };
}
