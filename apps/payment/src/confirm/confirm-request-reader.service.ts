import { Chains } from '@bascule/chain';
import { invalidField, invalidRequest, ServiceError } from '@bascule/contracts';
import { RequestValidationPipe } from '@bascule/http';
import { Injectable } from '@nestjs/common';
import { ConfirmPaymentDto } from './confirm-payment.dto.js';
import { refusedAddresses } from './refused-addresses.js';
import { requestProblems } from './request-problems.js';

/** Reads the body, and refuses it with everything that is wrong with its shape and its meaning together. */
@Injectable()
export class ConfirmRequestReader {
  private readonly shape = new RequestValidationPipe();

  constructor(private readonly chains: Chains) {}

  async read(body: unknown): Promise<ConfirmPaymentDto> {
    if (typeof body === 'object' && body !== null && 'verification_token' in body) {
      throw invalidField(['verification_token'], 'The verification token is not valid.');
    }
    const problems = requestProblems(body, {
      refused: refusedAddresses(this.chains.all().map(({ definition }) => definition)),
      isChain: (name) => this.chains.find(name) !== undefined,
    });
    try {
      const dto: unknown = await this.shape.transform(body, {
        type: 'body',
        metatype: ConfirmPaymentDto,
      });
      if (problems.length === 0 && dto instanceof ConfirmPaymentDto) return dto;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw invalidRequest(...error.errors, ...problems);
    }
    throw invalidRequest(...problems);
  }
}
