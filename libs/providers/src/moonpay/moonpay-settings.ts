import type { PaymentMethod } from '@bascule/contracts';
import { UnreadableAnswer, type JsonObject } from '../wire/json-object.js';
import { readTestMode } from '../wire/test-mode.js';
import { moonPayMethod, USUAL_METHODS } from './payment-methods.js';

/** Fields of a MoonPay entry in `PROVIDERS` beside the common ones. */
export interface MoonPaySettings {
  /** Signs checkout URLs; `sk_live_…` or `sk_test_…`. */
  secretKey: string;
  /** Page at which customers pay: `https://buy.moonpay.com`, or `https://buy-sandbox.moonpay.com` for test keys. */
  checkoutUrl: string;
  methods: readonly PaymentMethod[];
  /** Keys of MoonPay's test mode, in which some currencies are not sold. */
  isTest: boolean;
}

function readMethods(entry: JsonObject): readonly PaymentMethod[] {
  if (!entry.has('methods')) return USUAL_METHODS;
  return entry.strings('methods').map((method) => {
    if (moonPayMethod(method) === undefined) {
      throw new UnreadableAnswer('methods', `a list of methods of MoonPay: ${method}`);
    }
    return method as PaymentMethod;
  });
}

/** @throws UnreadableAnswer */
export const readMoonPaySettings = (entry: JsonObject): MoonPaySettings => ({
  secretKey: entry.string('secret_key'),
  checkoutUrl: entry.httpUrl('checkout_url'),
  methods: readMethods(entry),
  isTest: readTestMode(entry, ['api_key', 'secret_key']),
});
