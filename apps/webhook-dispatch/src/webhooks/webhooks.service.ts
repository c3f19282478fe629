import {
  conflict,
  notFound,
  type WebhookCreated,
  type WebhookList,
  type WebhookRotated,
} from '@bascule/contracts';
import type { AnswerSlot } from '@bascule/idempotency';
import type { Caller } from '@bascule/identity';
import { isUniqueViolation } from '@bascule/persistence';
import { faultPoint } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import {
  WEBHOOK_DISPATCH_CONFIG,
  type WebhookDispatchConfig,
} from '../config/webhook-dispatch.config.js';
import type { WebhookEntity } from '../persistence/webhook.entity.js';
import { LABEL_INDEX } from '../persistence/webhook.entity.js';
import { WebhookRepository } from '../persistence/webhook.repository.js';
import { SecretCipher } from '../secrets/secret-cipher.js';
import { secretContext } from '../secrets/secret-context.js';
import { newSigningSecret } from '../secrets/signing-secret.js';
import type { AuthHeaderDto } from './auth-header.dto.js';
import type { CreateWebhookDto } from './create-webhook.dto.js';
import { retirementTime } from './retirement.js';
import type { RotateSecretDto } from './rotate-secret.dto.js';
import type { UpdateWebhookDto } from './update-webhook.dto.js';
import { webhookView } from './webhook-view.js';

/** Limit of active secrets: each adds a signature to the headers, whose length receivers limit. */
const MAX_SECRETS = 10;

@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly cipher: SecretCipher,
    @Inject(WEBHOOK_DISPATCH_CONFIG)
    private readonly config: Pick<WebhookDispatchConfig, 'maxWebhooksPerOrganisation'>,
  ) {}

  async create(
    { orgId, mode = 'live' }: Pick<Caller, 'orgId' | 'mode'>,
    request: CreateWebhookDto,
    slot?: AnswerSlot,
  ): Promise<WebhookCreated> {
    const { maxWebhooksPerOrganisation: most } = this.config;
    const id = uuidv7();
    const signingSecret = request.signing_secret ?? newSigningSecret();
    const webhook = {
      id,
      orgId,
      mode,
      label: request.label,
      url: request.url,
      eventTypes: request.event_types,
      ...this.sealedHeader(id, request.auth_header ?? null),
    };
    const sealed = this.cipher.seal(signingSecret, secretContext(id, 'signing_secret'));
    const answer = (createdAt: Date): WebhookCreated => ({
      ...webhookView({ ...webhook, createdAt }),
      signing_secret: signingSecret,
    });
    try {
      const createdAt = await this.webhooks.insert(
        webhook,
        { id: uuidv7(), sealed },
        { most, sealAnswer: slot && ((at) => slot.seal(answer(at))) },
      );
      if (createdAt === null) throw tooManyWebhooks(most);
      faultPoint('webhook.registered');
      return answer(createdAt);
    } catch (error) {
      if (!isUniqueViolation(error, LABEL_INDEX)) throw error;
      throw conflict(`A webhook with the label "${request.label}" already exists.`);
    }
  }

  async list(orgId: string): Promise<WebhookList> {
    return { webhooks: (await this.webhooks.list(orgId)).map(webhookView) };
  }

  async update(orgId: string, request: UpdateWebhookDto): Promise<void> {
    const { id } = await this.find(orgId, request.label);
    const { url, auth_header } = request;
    const change = {
      ...(url !== undefined && { url }),
      ...(auth_header !== undefined && this.sealedHeader(id, auth_header)),
    };
    if (Object.keys(change).length === 0) return;
    if (!(await this.webhooks.update(id, change))) throw noWebhook(request.label);
  }

  async rotateSecret(orgId: string, request: RotateSecretDto): Promise<WebhookRotated> {
    const { id } = await this.find(orgId, request.label);
    const signingSecret = newSigningSecret();
    const sealed = this.cipher.seal(signingSecret, secretContext(id, 'signing_secret'));
    const othersRetireAt = retirementTime(request.retire_after, new Date());
    const active = await this.webhooks.addSecret(
      id,
      { id: uuidv7(), sealed },
      { othersRetireAt, most: MAX_SECRETS },
    );
    if (active === null) throw noWebhook(request.label);
    if (active >= MAX_SECRETS) {
      throw conflict(
        `The webhook "${request.label}" has ${active} active secrets, the maximum. Set retire_after, and rotate again after they have retired.`,
      );
    }
    return { id, signing_secret: signingSecret, retire_at: othersRetireAt?.toISOString() ?? null };
  }

  async delete(orgId: string, label: string): Promise<void> {
    if (!(await this.webhooks.delete(orgId, label))) throw noWebhook(label);
  }

  private async find(orgId: string, label: string): Promise<WebhookEntity> {
    const found = await this.webhooks.find(orgId, label);
    if (found === null) throw noWebhook(label);
    return found;
  }

  private sealedHeader(
    id: string,
    header: AuthHeaderDto | null,
  ): Pick<WebhookEntity, 'authHeaderName' | 'authHeaderValue'> {
    if (header === null) return { authHeaderName: null, authHeaderValue: null };
    const authHeaderValue = this.cipher.seal(header.value, secretContext(id, 'auth_header'));
    return { authHeaderName: header.name, authHeaderValue };
  }
}

const tooManyWebhooks = (most: number): Error =>
  conflict(`The organisation has ${most} webhooks, the maximum. Delete one, and register again.`);
const noWebhook = (label: string): Error => notFound(`Webhook "${label}" not found.`);
