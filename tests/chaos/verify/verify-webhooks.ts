import type { WebhookEventType } from '@bascule/contracts';
import type { TestPayment } from '../payments/test-payment.js';
import type { Hook, Received, WebhookInbox } from '../client/webhook-inbox.js';
import type { DatabaseRows, DeliveryRow } from './database-rows.js';
import type { Findings } from './findings.js';
import { paymentLabel } from './payment-label.js';

/** Verifies that every subscriber, and no other receiver, got each webhook under one id. */
export function verifyWebhooks(
  findings: Findings,
  payments: readonly TestPayment[],
  inbox: WebhookInbox,
  rows: DatabaseRows,
): void {
  const delivered = findings.claim('every webhook is delivered, to its receiver, under one id');
  const signed = findings.claim('every delivery is signed for its receiver');
  const expectedOnly = findings.claim('no receiver gets a webhook meant for another');
  const expected = new Set<string>();
  for (const payment of payments) {
    for (const [hook, eventType] of expectations(payment, inbox.hooks)) {
      const id = payment.accepted?.id ?? '';
      const isIt = ({ hook: at, body }: Received) =>
        at === hook.name && body.event.workflow_id === id && body.event_type === eventType;
      const received = inbox.received.filter(isIt);
      const accepted = received.filter((each) => each.accepted);
      const row = rows.deliveries.filter((each) => isRowOf(each, hook, id, eventType));
      const bytes = new Set(received.map((each) => each.bytes));
      const subject = `${paymentLabel(payment)} ${eventType} at ${hook.name}`;
      delivered.holds(subject, accepted.length > 0 && bytes.size === 1, received.length);
      delivered.equal(subject, row.map(({ status }) => status).join(), 'DELIVERED');
      expected.add(keyOf(hook.name, id, eventType));
    }
  }
  for (const { hook, body, isSigned, authorization } of inbox.received) {
    const registered = inbox.hooks.find(({ name }) => name === hook);
    const key = keyOf(hook, body.event.workflow_id, body.event_type);
    signed.holds(key, isSigned && authorization === registered?.authorization);
    expectedOnly.holds(key, expected.has(key));
  }
}

/** Lists the hooks and event types that must report the payment's end. */
const expectations = (
  { organisation, expectedWebhooks }: TestPayment,
  hooks: Hook[],
): [Hook, WebhookEventType][] =>
  hooks
    .filter((hook) => hook.organisation === organisation.name)
    .flatMap((hook) =>
      [...expectedWebhooks]
        .filter((type) => hook.eventTypes.includes(type))
        .map((type): [Hook, WebhookEventType] => [hook, type]),
    );

const isRowOf = (row: DeliveryRow, hook: Hook, paymentId: string, eventType: string): boolean =>
  row.hook === hook.name && row.paymentId === paymentId && row.eventType === eventType;

const keyOf = (hook: string, paymentId: string, eventType: string): string =>
  `${hook} ${paymentId} ${eventType}`;
