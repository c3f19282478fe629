import { IsAsset, IsNested, IsUuid } from '@bascule/validation';
import { IsOptional } from 'class-validator';
import { QuoteOptionsDto } from './quote-request.dto.js';

/** Override of a requote. */
class RequotedOutputDto {
  /** Asset to deliver; by default that of the payment. */
  @IsOptional()
  @IsAsset()
  output_asset?: string;
}

/** Body of `POST /payments/quotes` with a `payment_id`; `requote-problems.ts` checks the rest. */
export class RequoteDto extends QuoteOptionsDto {
  /** Payment whose parked balance is the input. */
  @IsUuid()
  payment_id!: string;

  /** Override of the output. */
  @IsOptional()
  @IsNested(() => RequotedOutputDto)
  request?: RequotedOutputDto;
}
