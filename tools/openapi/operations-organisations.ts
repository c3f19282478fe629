import { EXAMPLE } from './example-values.js';
import { json } from './operation.js';
import type { Operation } from './operation.js';

const UNKNOWN = 'No webhook of the organisation has this label.';
const UNKNOWN_DELIVERY = 'No delivery of the organisation has this id.';

export const ORGANISATION_OPERATIONS = {
  'GET /orgs/keys/self': {
    id: 'describeKey',
    tag: 'Keys',
    summary: 'Tell what the key may do',
    description: 'Permissions, limits, origins and expiry of the key of the request; needs none.',
    success: json('KeySelf', 'Rights and limits of the key.'),
    example: {},
  },
  'POST /orgs/webhooks': {
    id: 'createWebhook',
    isIdempotent: true,
    tag: 'Webhooks',
    summary: 'Register a webhook',
    description:
      'Registers an HTTPS URL without private addresses. The answer alone shows `signing_secret`. An organisation has at most 50 webhooks, unless configured otherwise.',
    body: 'CreateWebhookDto',
    success: json('WebhookCreated', 'Webhook with its secret.'),
    errors: {
      409: 'Another webhook of the organisation has this label, or it has as many webhooks as it may.',
    },
    example: {
      body: {
        url: EXAMPLE.webhookUrl,
        label: EXAMPLE.webhookLabel,
        event_types: ['WORKFLOW_COMPLETED', 'WORKFLOW_FAILED'],
      },
    },
  },
  'GET /orgs/webhooks': {
    id: 'listWebhooks',
    tag: 'Webhooks',
    summary: 'List webhooks',
    description: 'Webhooks of the organisation, without their secrets.',
    success: json('WebhookList', 'Webhooks.'),
    example: {},
  },
  'PATCH /orgs/webhooks': {
    id: 'updateWebhook',
    tag: 'Webhooks',
    summary: 'Change a webhook',
    description:
      'Changes URL or header of the webhook with this label. `event_types` cannot be changed.',
    body: 'UpdateWebhookDto',
    success: json('empty', 'The webhook is changed.'),
    errors: { 404: UNKNOWN },
    example: { body: { label: EXAMPLE.webhookLabel, url: EXAMPLE.webhookUrl } },
  },
  'DELETE /orgs/webhooks': {
    id: 'deleteWebhook',
    tag: 'Webhooks',
    summary: 'Delete a webhook',
    description: 'Deletes the webhook with this label, named in the query or in the body.',
    query: 'WebhookLabelDto',
    body: 'WebhookLabelDto',
    isBodyOptional: true,
    success: json('empty', 'The webhook is deleted.'),
    errors: { 404: UNKNOWN },
    example: { query: { label: EXAMPLE.webhookLabel } },
  },
  'POST /orgs/webhooks/rotate-secret': {
    id: 'rotateWebhookSecret',
    tag: 'Webhooks',
    summary: 'Rotate the secret of a webhook',
    description:
      'Adds a secret that signs at once beside the earlier ones. These retire at `retire_after`, at least 24 hours ' +
      'from now; without it they stay.',
    body: 'RotateSecretDto',
    success: json('WebhookRotated', 'New secret.'),
    errors: { 404: UNKNOWN, 409: 'The webhook has as many active secrets as it may.' },
    example: { body: { label: EXAMPLE.webhookLabel } },
  },
  'POST /orgs/webhooks/test': {
    id: 'testWebhook',
    tag: 'Webhooks',
    summary: 'Send a test event',
    description: 'Enqueues an event with `test: true` for the webhook with this label.',
    body: 'TestWebhookDto',
    success: json('DeliveryReference', 'Delivery of the test event.'),
    errors: { 404: UNKNOWN },
    example: { body: { label: EXAMPLE.webhookLabel } },
  },
  'GET /orgs/webhooks/deliveries': {
    id: 'listDeliveries',
    tag: 'Webhooks',
    summary: 'List deliveries',
    description: 'Deliveries of the organisation, newest first.',
    query: 'ListDeliveriesDto',
    success: json('WebhookDeliveryPage', 'Page of deliveries.'),
    errors: { 404: UNKNOWN },
    example: { query: { label: EXAMPLE.webhookLabel } },
  },
  'POST /orgs/webhooks/deliveries/resend-failed': {
    id: 'resendFailedDeliveries',
    tag: 'Webhooks',
    summary: 'Resend failed deliveries',
    description:
      'Sends again what failed since a time, unless it has had 100 attempts. Repeat the request while `more` is true.',
    body: 'ResendFailedDto',
    success: json('WebhookResendFailed', 'Number of deliveries.'),
    errors: { 404: UNKNOWN },
    example: { body: { label: EXAMPLE.webhookLabel, since: '2026-01-01T00:00:00Z' } },
  },
  'GET /orgs/webhooks/deliveries/:delivery_id': {
    id: 'getDelivery',
    tag: 'Webhooks',
    summary: 'Get a delivery',
    description:
      'Delivery with its request and its newest attempts, at most 100; secret values read `***`.',
    path: 'DeliveryIdDto',
    success: json('WebhookDeliveryDetails', 'Delivery.'),
    errors: { 404: UNKNOWN_DELIVERY },
    example: { path: { delivery_id: EXAMPLE.deliveryId } },
  },
  'POST /orgs/webhooks/deliveries/:delivery_id/resend': {
    id: 'resendDelivery',
    tag: 'Webhooks',
    summary: 'Resend a delivery',
    description:
      'Sends a finished delivery again, with the same id and body, unless it has had 100 attempts.',
    path: 'DeliveryIdDto',
    success: json('WebhookDelivery', 'Delivery.'),
    errors: {
      404: UNKNOWN_DELIVERY,
      409: 'The webhook of the delivery is deleted, or the delivery has had 100 attempts.',
    },
    example: { path: { delivery_id: EXAMPLE.deliveryId } },
  },
} as const satisfies Record<string, Operation>;
