import {
  invalidField,
  type WebhookCreated,
  type WebhookList,
  type WebhookRotated,
} from '@bascule/contracts';
import { IdempotencyKey, IdempotencyService, type IdempotentRequest } from '@bascule/idempotency';
import { CurrentCaller, RequirePermission, RequireSecretKey, type Caller } from '@bascule/identity';
import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { WebhookRequestReaderService } from './webhook-request-reader.service.js';
import { CreateWebhookDto } from './create-webhook.dto.js';
import { RotateSecretDto } from './rotate-secret.dto.js';
import { UpdateWebhookDto } from './update-webhook.dto.js';
import { WebhookLabelDto } from './webhook-label.dto.js';
import { WebhooksService } from './webhooks.service.js';

@Controller('orgs/webhooks')
@RequireSecretKey()
@RequirePermission('webhooks')
export class WebhooksController {
  constructor(
    private readonly reader: WebhookRequestReaderService,
    private readonly webhooks: WebhooksService,
    private readonly idempotency: IdempotencyService,
  ) {}

  @Post()
  @HttpCode(200)
  async create(
    @CurrentCaller() caller: Caller,
    @Body() body: unknown,
    @IdempotencyKey() key: IdempotentRequest | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WebhookCreated> {
    return this.idempotency.answer(key, reply, {
      effect: async (slot) => {
        const request = await this.reader.read(body, CreateWebhookDto);
        return this.webhooks.create(caller, request, slot);
      },
    });
  }

  @Get()
  list(@CurrentCaller() caller: Caller): Promise<WebhookList> {
    return this.webhooks.list(caller.orgId);
  }

  @Patch()
  @HttpCode(200)
  async update(@CurrentCaller() caller: Caller, @Body() body: unknown): Promise<void> {
    await this.webhooks.update(caller.orgId, await this.reader.read(body, UpdateWebhookDto));
  }

  @Post('rotate-secret')
  @HttpCode(200)
  rotateSecret(
    @CurrentCaller() caller: Caller,
    @Body() body: RotateSecretDto,
  ): Promise<WebhookRotated> {
    return this.webhooks.rotateSecret(caller.orgId, body);
  }

  /** Reads the label from the query or the body. */
  @Delete()
  @HttpCode(200)
  async delete(
    @CurrentCaller() caller: Caller,
    @Query() query: WebhookLabelDto,
    @Body() body: WebhookLabelDto,
  ): Promise<void> {
    const label = query.label ?? body.label;
    if (label === undefined)
      throw invalidField(['label'], 'label must be given, in the query or the body');
    if (query.label !== undefined && body.label !== undefined && query.label !== body.label) {
      throw invalidField(['label'], 'query and body name different labels');
    }
    await this.webhooks.delete(caller.orgId, label);
  }
}
