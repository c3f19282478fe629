import { invalidRequest, ServiceError, type ValidationError } from '@bascule/contracts';
import { withTimeout } from '@bascule/process';
import { RequestValidationPipe } from '@bascule/validation';
import { Inject, Injectable } from '@nestjs/common';
import {
  DestinationPolicyAdapter,
  ForbiddenAddressError,
} from '../destinations/destination-policy.adapter.js';
import {
  WEBHOOK_DISPATCH_CONFIG,
  type WebhookDispatchConfig,
} from '../config/webhook-dispatch.config.js';
import { urlProblem } from '../destinations/webhook-url.js';

const RESOLVE_TIMEOUT_MS = 3_000;

/** Reads the body, and rejects it with all problems of its shape and its URL together. */
@Injectable()
export class WebhookRequestReaderService {
  private readonly shape = new RequestValidationPipe();

  constructor(
    private readonly policy: DestinationPolicyAdapter,
    @Inject(WEBHOOK_DISPATCH_CONFIG) private readonly config: WebhookDispatchConfig,
  ) {}

  async read<T extends object>(body: unknown, shape: new () => T): Promise<T> {
    const problems = await this.urlProblems(body);
    try {
      const dto: unknown = await this.shape.transform(body, { type: 'body', metatype: shape });
      if (problems.length === 0 && dto instanceof shape) return dto;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw invalidRequest(...error.errors, ...problems);
    }
    throw invalidRequest(...problems);
  }

  private async urlProblems(body: unknown): Promise<ValidationError[]> {
    const url = typeof body === 'object' && body !== null && 'url' in body ? body.url : undefined;
    if (typeof url !== 'string') return [];
    const message = urlProblem(url, this.config) ?? (await this.hostProblem(new URL(url).hostname));
    return message === null ? [] : [{ code: 'custom', path: ['url'], message }];
  }

  private async hostProblem(host: string): Promise<string | null> {
    try {
      await withTimeout(RESOLVE_TIMEOUT_MS, this.policy.addressesOf(host));
      return null;
    } catch (error) {
      return error instanceof ForbiddenAddressError
        ? 'url must be on a public host'
        : 'the host of url cannot be resolved';
    }
  }
}
