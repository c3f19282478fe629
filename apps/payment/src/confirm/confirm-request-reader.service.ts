import { Chains, refusedAddresses } from '@bascule/chain';
import { invalidField, invalidRequest, ServiceError } from '@bascule/contracts';
import { RequestValidationPipe } from '@bascule/validation';
import { Injectable } from '@nestjs/common';
import { ConfirmPaymentDto } from './confirm-payment.dto.js';
import { requestProblems } from './request-problems.js';

/** A null field counts as absent. */
const hasVerificationToken = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  'verification_token' in body &&
  body.verification_token !== null;

/** Reads the body; one refusal names all problems of its shape and its values. */
@Injectable()
export class ConfirmRequestReaderService {
  private readonly shape = new RequestValidationPipe();

  constructor(private readonly chains: Chains) {}

  async read(body: unknown): Promise<ConfirmPaymentDto> {
    if (hasVerificationToken(body)) {
      throw invalidField(['verification_token'], 'The verification token is not valid.');
    }
    const problems = requestProblems(body, {
      refused: this.chains
        .all()
        .flatMap(({ definition }) => refusedAddresses(definition.contracts)),
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
