import { WEBHOOK_EVENT_TYPES } from '@bascule/contracts';
import type { Schema } from 'ts-json-schema-generator';
import { objectSchema, SCHEMAS } from './schemas.js';

const HTTP_BINDING = '0.3.0';

const SUMMARIES = {
  WORKFLOW_COMPLETED: 'A payment is `COMPLETE`.',
  WORKFLOW_FAILED: 'A payment is `FAILED`; its owner can withdraw what is in the wallet.',
} as const satisfies Record<(typeof WEBHOOK_EVENT_TYPES)[number], string>;

const STATUS = { WORKFLOW_COMPLETED: 'COMPLETE', WORKFLOW_FAILED: 'FAILED' } as const;

/** Channel, operation, messages and payloads of deliveries to organisations. */
export function webhookPart(schemas: ReadonlyMap<string, Schema>) {
  const body = objectSchema(schemas, 'WebhookDeliveryBody');
  const { event } = body.properties;
  return {
    channels: {
      webhook: {
        // The URL that the organisation registered.
        address: null,
        description:
          'Deliveries to the URL of a webhook (`POST /orgs/webhooks`). Any 2xx within 10 seconds acknowledges one; ' +
          'else it is retried with the same `id` and body for about a day. Receivers de-duplicate by `id`.',
        servers: [{ $ref: '#/servers/receiver' }],
        messages: Object.fromEntries(
          WEBHOOK_EVENT_TYPES.map((type) => [type, { $ref: `#/components/messages/${type}` }]),
        ),
      },
    },
    operations: {
      'webhook-dispatch.send.webhook': {
        action: 'send',
        title: 'webhook-dispatch delivers outcomes of payments to organisations',
        channel: { $ref: '#/channels/webhook' },
        messages: WEBHOOK_EVENT_TYPES.map((type) => ({
          $ref: `#/channels/webhook/messages/${type}`,
        })),
        tags: [{ name: 'webhook-dispatch' }],
        security: [
          { $ref: '#/components/securitySchemes/serviceSignature' },
          { $ref: '#/components/securitySchemes/standardWebhooks' },
        ],
        bindings: { http: { method: 'POST', bindingVersion: HTTP_BINDING } },
      },
    },
    messages: Object.fromEntries(
      WEBHOOK_EVENT_TYPES.map((type) => [
        type,
        {
          name: type,
          title: type,
          summary: SUMMARIES[type],
          contentType: 'application/json',
          headers: { $ref: `${SCHEMAS}WebhookHeaders` },
          payload: { $ref: `${SCHEMAS}${type}` },
          examples: [{ name: type, payload: exampleOf(type) }],
        },
      ]),
    ),
    payloads: Object.fromEntries(
      WEBHOOK_EVENT_TYPES.map((type): [string, Schema] => [
        type,
        {
          ...body,
          properties: {
            ...body.properties,
            event_type: { type: 'string', const: type, description: SUMMARIES[type] },
            event: {
              ...event,
              properties: {
                ...event?.properties,
                status: {
                  type: 'string',
                  const: STATUS[type],
                  description: 'Status of the payment.',
                },
              },
            },
          },
        },
      ]),
    ),
  };
}

const exampleOf = (type: (typeof WEBHOOK_EVENT_TYPES)[number]): object => ({
  id: '01936b5e-7d0a-7c4e-9b1c-0242ac120002',
  time: '2026-11-21T12:00:00.000Z',
  event_type: type,
  event: { workflow_id: '01936b5e-0000-7000-8000-000000000001', status: STATUS[type] },
});
