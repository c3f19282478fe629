import { IsAsset, IsNested, IsUuid } from '@bascule/validation';
import { IsOptional } from 'class-validator';
import { QuoteOptionsDto } from './quote-request.dto.js';

class RequotedOutputDto {
  @IsOptional()
  @IsAsset()
  output_asset?: string;
}

/** Body of `POST /payments/quotes` with a `payment_id`; `requote-problems.ts` checks the rest. */
export class RequoteDto extends QuoteOptionsDto {
  @IsUuid()
  payment_id!: string;

  @IsOptional()
  @IsNested(() => RequotedOutputDto)
  request?: RequotedOutputDto;
}
