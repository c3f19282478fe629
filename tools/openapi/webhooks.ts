import { WEBHOOK_EVENT_TYPES } from '../../libs/contracts/src/http/webhooks.js';
import { refTo } from './json-schema.js';

const MEANINGS: Record<(typeof WEBHOOK_EVENT_TYPES)[number], string> = {
  WORKFLOW_COMPLETED: 'A payment became `COMPLETE`.',
  WORKFLOW_FAILED: 'A payment became `FAILED`.',
};

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** Describes the calls that the service makes. */
export const webhooks = (): Record<string, object> =>
  Object.fromEntries(
    WEBHOOK_EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: `on${type}`,
          tags: ['Webhooks'],
          summary: MEANINGS[type],
          description:
            'Sent up to 12 times within 24 hours until the receiver answers 2xx within 10 seconds. Check a signature ' +
            'over the raw body before reading it, and ignore an `id` that was seen. A configured `auth_header` is sent too.',
          security: [],
          parameters: [
            header(
              'X-Service-Signature',
              'One `v1=0x<hex>` for each active secret, separated by commas: HMAC-SHA256 of the raw body.',
            ),
            header('webhook-id', 'Id of the delivery (Standard Webhooks).'),
            header(
              'webhook-timestamp',
              'Time of the attempt in seconds since 1970 (Standard Webhooks).',
            ),
            header('webhook-signature', 'Signatures in the form of Standard Webhooks.'),
          ],
          requestBody: {
            required: true,
            description: 'Event.',
            content: { 'application/json': { schema: refTo('WebhookDeliveryBody') } },
          },
          responses: { '2XX': { description: 'The delivery is acknowledged.' } },
        },
      },
    ]),
  );
