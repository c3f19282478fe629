import type { KeyObject } from 'node:crypto';
import type { PaymentMethod } from '@bascule/contracts';
import { readCallbackKey } from '../wire/callback-key.js';
import type { JsonObject } from '../wire/json-object.js';
import { readTestMode } from '../wire/test-mode.js';
import { METHODS } from './payment-methods.js';

/** Fields of a MoonPay entry in `PROVIDERS` beside the common ones. */
export interface MoonPaySettings {
  callbackKey: KeyObject;
  /** Signs checkout URLs; `sk_live_…` or `sk_test_…`. */
  secretKey: string;
  /** Page at which customers pay: `https://buy.moonpay.com`, or `https://buy-sandbox.moonpay.com` for test keys. */
  checkoutUrl: string;
  methods: readonly PaymentMethod[];
  /** Keys of MoonPay's test mode, in which some currencies are not sold. */
  isTest: boolean;
}

/** @throws UnreadableAnswer */
export const readMoonPaySettings = (entry: JsonObject): MoonPaySettings => ({
  callbackKey: readCallbackKey(entry),
  secretKey: entry.string('secret_key'),
  checkoutUrl: entry.httpUrl('checkout_url'),
  methods: METHODS.read(entry),
  isTest: readTestMode(entry, ['api_key', 'secret_key']),
});
