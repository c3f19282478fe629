import {
  IsDecimalAmount,
  IsEvmAddress,
  IsNestedArray,
  IsTokenIdentifier,
  IsUuid,
} from '@bascule/validation';
import type { TokenIdentifier, WithdrawAccount } from '@bascule/contracts';
import { ArrayMaxSize, ArrayMinSize, IsIn, IsOptional } from 'class-validator';

const MAX_TOKENS = 20;

export class TokenAmountDto {
  @IsTokenIdentifier()
  token!: TokenIdentifier;

  @IsDecimalAmount()
  amount!: string;
}

export class WithdrawDto {
  @IsUuid()
  payment_id!: string;

  @IsNestedArray(() => TokenAmountDto)
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_TOKENS)
  token_amounts!: TokenAmountDto[];

  @IsEvmAddress()
  recipient_address!: string;

  @IsOptional()
  @IsIn(['INTENT', 'SPW', 'RDW'])
  withdraw_account?: WithdrawAccount;
}
