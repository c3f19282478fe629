import { PAYMENT_METHODS, type PaymentMethod } from '@bascule/contracts';
import { UnreadableAnswer, type JsonObject } from '../wire/json-object.js';
import { MethodTable, type ProviderMethod } from '../wire/method-table.js';

interface TransakMethod extends ProviderMethod {
  /** `paymentOptions[].id` of Transak's list of currencies. */
  wire: string;
}

export type TransakMethods = MethodTable<TransakMethod>;

const MINUTES = 60;
const DAYS = 86_400;
const MAX_LATENCY_SECONDS = 30 * DAYS;
const ID = /^[a-z0-9_]{1,60}$/;

/** Documented ones. With an optional one the customer sends the money himself, which may take longer than a payment waits. */
const DOCUMENTED: Readonly<Partial<Record<PaymentMethod, TransakMethod>>> = {
  CREDIT_CARD: { wire: 'credit_debit_card', latencySeconds: 10 * MINUTES },
  DEBIT_CARD: { wire: 'credit_debit_card', latencySeconds: 10 * MINUTES },
  APPLE_PAY: { wire: 'apple_pay', latencySeconds: 10 * MINUTES },
  GOOGLE_PAY: { wire: 'google_pay', latencySeconds: 10 * MINUTES },
  SEPA: { wire: 'sepa_bank_transfer', isOptional: true, latencySeconds: 2 * DAYS },
  FASTER_PAYMENTS: { wire: 'gbp_bank_transfer', isOptional: true, latencySeconds: 60 * MINUTES },
  WIRE: { wire: 'pm_wire', isOptional: true, latencySeconds: 2 * DAYS },
};

function readOption(options: JsonObject, method: PaymentMethod): TransakMethod {
  const option = options.object(method);
  const wire = option.string('id');
  const latencySeconds = option.count('latency_seconds');
  if (!ID.test(wire) || latencySeconds === 0 || latencySeconds > MAX_LATENCY_SECONDS) {
    throw new UnreadableAnswer(
      `payment_options.${method}`,
      'an id of Transak with latency_seconds, at most 30 days',
    );
  }
  return { wire, latencySeconds };
}

/** Reads `payment_options` of an entry: methods whose ids at Transak are not documented. @throws UnreadableAnswer */
export function readMethods(entry: JsonObject): TransakMethods {
  const options = entry.has('payment_options') ? entry.object('payment_options') : undefined;
  const configured = PAYMENT_METHODS.filter((method) => options?.has(method)).map(
    (method) => [method, options && readOption(options, method)] as const,
  );
  return new MethodTable('Transak', { ...DOCUMENTED, ...Object.fromEntries(configured) });
}
