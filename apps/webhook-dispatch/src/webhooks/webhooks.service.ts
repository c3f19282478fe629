import { conflict, notFound, type Webhook, type WebhookCreated } from '@bascule/contracts';
import { isUniqueViolation } from '@bascule/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { WebhookEntity } from '../persistence/webhook.entity.js';
import { LABEL_INDEX } from '../persistence/webhook.entity.js';
import { WebhookRepository } from '../persistence/webhook.repository.js';
import { SecretCipher } from '../secrets/secret-cipher.js';
import { secretContext } from '../secrets/secret-context.js';
import { newSigningSecret } from '../secrets/signing-secret.js';
import type { CreateWebhookDto } from './create-webhook.dto.js';

@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly cipher: SecretCipher,
  ) {}

  async create(orgId: string, request: CreateWebhookDto): Promise<WebhookCreated> {
    const id = uuidv7();
    const signingSecret = request.signing_secret ?? newSigningSecret();
    const header = request.auth_header;
    const webhook = {
      id,
      orgId,
      label: request.label,
      url: request.url,
      eventTypes: request.event_types,
      authHeaderName: header?.name ?? null,
      authHeaderValue:
        header === undefined
          ? null
          : this.cipher.seal(header.value, secretContext(id, 'auth_header')),
    };
    const sealed = this.cipher.seal(signingSecret, secretContext(id, 'signing_secret'));
    try {
      await this.webhooks.insert(webhook, { id: uuidv7(), sealed });
    } catch (error) {
      if (!isUniqueViolation(error, LABEL_INDEX)) throw error;
      throw conflict(`There is a webhook with the label "${request.label}".`);
    }
    return { ...view(webhook), signing_secret: signingSecret };
  }

  async list(orgId: string): Promise<Webhook[]> {
    return (await this.webhooks.list(orgId)).map(view);
  }

  async delete(orgId: string, label: string): Promise<void> {
    if (!(await this.webhooks.delete(orgId, label))) {
      throw notFound(`There is no webhook with the label "${label}".`);
    }
  }
}

type Shown = Pick<WebhookEntity, 'id' | 'label' | 'url' | 'eventTypes' | 'authHeaderName'>;

const view = (webhook: Shown): Webhook => ({
  id: webhook.id,
  label: webhook.label,
  url: webhook.url,
  event_types: webhook.eventTypes,
  ...(webhook.authHeaderName === null ? {} : { auth_header_name: webhook.authHeaderName }),
});
