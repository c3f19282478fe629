import { invalidRequest, type QuoteRequest } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { Injectable } from '@nestjs/common';
import { ParentPaymentsService } from '../payments/parent-payments.service.js';
import { requotedInput } from '../payments/parked-balance.js';
import { ParkedBalancesService } from '../payments/parked-balances.service.js';
import { RequestReaderService } from '../requests/request-reader.service.js';
import { requestProblems, type Known } from './request-problems.js';
import { requoteProblems } from './requote-problems.js';
import { RequoteDto } from './requote.dto.js';

/** Completes a requote: its input is the balance of the payment, its output the payment's unless another is given. */
@Injectable()
export class RequotesService {
  constructor(
    private readonly requests: RequestReaderService,
    private readonly parents: ParentPaymentsService,
    private readonly balances: ParkedBalancesService,
  ) {}

  /** @throws ServiceError when the payment cannot be retried, holds too little, or its chain cannot be read */
  async read(body: unknown, known: Known, caller: Caller): Promise<QuoteRequest> {
    const problems = [...requestProblems(body, known), ...requoteProblems(body)];
    const given = await this.requests.read('body', RequoteDto, body, problems);
    const request = await this.complete(given, caller);
    // Rules about the input and the default output apply only now.
    const late = requestProblems(request, known);
    if (late.length > 0) throw invalidRequest(...late);
    return request;
  }

  /** A retry of the payment with the amount found, which may be sent again as it is. */
  private async complete(
    { payment_id, request: output, ...options }: RequoteDto,
    caller: Caller,
  ): Promise<QuoteRequest> {
    const parent = await this.parents.get(caller, payment_id);
    const input = requotedInput(await this.balances.read(parent));
    if ('issue' in input) throw invalidRequest(input.issue);
    return {
      ...options,
      parent_payment_id: parent.id,
      request: {
        kind: 'FIXED_INPUT',
        fixed_input_amount: input.amount,
        output_asset: output?.output_asset ?? parent.outputAsset,
      },
    };
  }
}
