import type { WebhookEventType } from '@bascule/contracts';
import type { Play } from '../payments/play.js';
import type { Hook, Received, WebhookInbox } from '../payments/webhook-inbox.js';
import type { Databases, DeliveryRow } from './databases.js';
import type { Findings } from './findings.js';
import { named } from './named.js';

/** Whoever subscribed hears of it, under one id however often, and nobody else does. */
export function verifyWebhooks(
  findings: Findings,
  plays: readonly Play[],
  inbox: WebhookInbox,
  rows: Databases,
): void {
  const delivered = findings.claim('every webhook is delivered, to its receiver, under one id');
  const signed = findings.claim('every delivery is signed for its receiver');
  const expectedOnly = findings.claim('no receiver hears what is not for it');
  const expected = new Set<string>();
  for (const play of plays) {
    for (const [hook, eventType] of expectations(play, inbox.hooks)) {
      const id = play.accepted?.id ?? '';
      const isIt = ({ hook: at, body }: Received) =>
        at === hook.name && body.event.workflow_id === id && body.event_type === eventType;
      const received = inbox.received.filter(isIt);
      const accepted = received.filter((each) => each.accepted);
      const row = rows.deliveries.filter((each) => isRowOf(each, hook, id, eventType));
      const bytes = new Set(received.map((each) => each.bytes));
      const subject = `${named(play)} ${eventType} at ${hook.name}`;
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

/** What became of the payment is told to whom. */
const expectations = ({ organisation, told }: Play, hooks: Hook[]): [Hook, WebhookEventType][] =>
  hooks
    .filter((hook) => hook.organisation === organisation.name)
    .flatMap((hook) =>
      [...told]
        .filter((type) => hook.eventTypes.includes(type))
        .map((type): [Hook, WebhookEventType] => [hook, type]),
    );

const isRowOf = (row: DeliveryRow, hook: Hook, paymentId: string, eventType: string): boolean =>
  row.hook === hook.name && row.paymentId === paymentId && row.eventType === eventType;

const keyOf = (hook: string, paymentId: string, eventType: string): string =>
  `${hook} ${paymentId} ${eventType}`;
