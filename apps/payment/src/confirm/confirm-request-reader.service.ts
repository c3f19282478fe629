import { Chains, refusedAddresses } from '@bascule/chain';
import { invalidRequest, ServiceError, TEST_KEY_HINT } from '@bascule/contracts';
import type { KeyMode, ValidationError } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { RequestValidationPipe } from '@bascule/validation';
import { Injectable } from '@nestjs/common';
import { ConfirmPaymentDto } from './confirm-payment.dto.js';
import { ContinueConfirmationDto } from './continue-confirmation.dto.js';
import { requestProblems } from './request-problems.js';

/** A null field counts as absent. */
const isContinuation = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  'verification_token' in body &&
  body.verification_token !== null;

/** Reads the body in either form; one refusal names all problems of its shape and its values. */
@Injectable()
export class ConfirmRequestReaderService {
  private readonly shape = new RequestValidationPipe();

  constructor(private readonly chains: Chains) {}

  async read(
    body: unknown,
    { mode }: Caller,
  ): Promise<ConfirmPaymentDto | ContinueConfirmationDto> {
    if (isContinuation(body)) return this.parse(body, ContinueConfirmationDto, []);
    return this.parse(body, ConfirmPaymentDto, this.problemsOf(body, mode));
  }

  private problemsOf(body: unknown, mode: KeyMode | undefined): ValidationError[] {
    return requestProblems(body, {
      refused: this.chains
        .all()
        .flatMap(({ definition }) => refusedAddresses(definition.contracts)),
      isChain: (name) => {
        const chain = this.chains.find(name);
        return chain !== undefined && (mode !== 'test' || chain.definition.isTestnet);
      },
      hint: mode === 'test' ? TEST_KEY_HINT : '',
    });
  }

  private async parse<T extends object>(
    body: unknown,
    metatype: new () => T,
    problems: readonly ValidationError[],
  ): Promise<T> {
    try {
      const dto: unknown = await this.shape.transform(body, { type: 'body', metatype });
      if (problems.length === 0 && dto instanceof metatype) return dto;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw invalidRequest(...error.errors, ...problems);
    }
    throw invalidRequest(...problems);
  }
}
