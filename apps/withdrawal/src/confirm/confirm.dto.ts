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
  /** Signature of the owner; with `state_token`. */
  @IsOptional()
  @IsHexBytes()
  @MaxLength(MAX_SIGNATURE)
  signature?: string;

  /** `state_token` of the withdrawal, unmodified. */
  @IsOptional()
  @IsString()
  state_token?: string;

  /**
   * Milliseconds to wait for the withdrawal to land.
   * @default 300000
   */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_POLLING_MS)
  polling_timeout?: number;

  /** Payment that is withdrawn from; in the older form. */
  @IsOptional()
  @IsUuid()
  payment_id?: string;

  /** Amounts that are withdrawn; in the older form. */
  @IsOptional()
  @IsNestedArray(() => TokenAmountDto)
  @ArrayMinSize(1)
  @ArrayMaxSize(20)
  token_amounts?: TokenAmountDto[];

  /** Recipient; in the older form. */
  @IsOptional()
  @IsEvmAddress()
  recipient_address?: string;

  /** Signature of the owner; in the older form. */
  @IsOptional()
  @IsHexBytes()
  @MaxLength(MAX_SIGNATURE)
  owner_signature?: string;

  /** Signed text; in the older form. */
  @IsOptional()
  @IsString()
  payload?: string;

  /**
   * Source; in the older form.
   * @default "SPW"
   */
  @IsOptional()
  @IsIn(['INTENT', 'SPW', 'RDW'])
  withdraw_account?: WithdrawAccount;
}
