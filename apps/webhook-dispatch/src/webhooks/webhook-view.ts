import type { Webhook } from '@bascule/contracts';
import type { WebhookEntity } from '../persistence/webhook.entity.js';

type Shown = Pick<
  WebhookEntity,
  'id' | 'label' | 'url' | 'eventTypes' | 'createdAt' | 'authHeaderName'
>;

/** View of a webhook, without secrets. */
export const webhookView = (webhook: Shown): Webhook => ({
  id: webhook.id,
  label: webhook.label,
  url: webhook.url,
  event_types: webhook.eventTypes,
  created_at: webhook.createdAt.toISOString(),
  ...(webhook.authHeaderName === null ? {} : { auth_header_name: webhook.authHeaderName }),
});
