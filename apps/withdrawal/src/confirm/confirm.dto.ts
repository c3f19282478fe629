import { IsEvmAddress, IsHexBytes, IsNestedArray, IsUuid } from '@bascule/validation';
import type { WithdrawAccount } from '@bascule/contracts';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { TokenAmountDto } from '../requests/token-amount.dto.js';

export const MAX_POLLING_MS = 300_000;
const MAX_SIGNATURE = 20_000;

/** Body with `state_token`, or in the older form that identifies the withdrawal by its content. */
export class ConfirmDto {
  @IsOptional()
  @IsHexBytes()
  @MaxLength(MAX_SIGNATURE)
  signature?: string;

  @IsOptional()
  @IsString()
  state_token?: string;

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_POLLING_MS)
  polling_timeout?: number;

  @IsOptional()
  @IsUuid()
  payment_id?: string;

  @IsOptional()
  @IsNestedArray(() => TokenAmountDto)
  @ArrayMinSize(1)
  @ArrayMaxSize(20)
  token_amounts?: TokenAmountDto[];

  @IsOptional()
  @IsEvmAddress()
  recipient_address?: string;

  @IsOptional()
  @IsHexBytes()
  @MaxLength(MAX_SIGNATURE)
  owner_signature?: string;

  @IsOptional()
  @IsString()
  payload?: string;

  @IsOptional()
  @IsIn(['INTENT', 'SPW', 'RDW'])
  withdraw_account?: WithdrawAccount;
}
