import { IsEvmAddress, IsUuid } from '@bascule/validation';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import type { ClientRedirectAfter } from '../life-cycle/payment-record.js';

/** The initial form of `POST /payments/confirm`. */
export class ConfirmPaymentDto {
  @IsUuid()
  payment_id!: string;

  @IsString()
  state_token!: string;

  @IsEvmAddress()
  owner_address!: string;

  @IsEvmAddress()
  destination_address!: string;

  @IsOptional()
  @IsString()
  owner_chain?: string;

  @IsOptional()
  @IsString()
  @MaxLength(2_048)
  client_redirect_url?: string;

  @IsOptional()
  @IsIn(['COMPLETED', 'FUNDED'])
  client_redirect_after?: ClientRedirectAfter;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(60)
  payment_expiration_minutes?: number;

  @IsOptional()
  @IsBoolean()
  allow_unsafe_owner?: boolean;

  @IsOptional()
  @IsBoolean()
  simulate_withdrawal?: boolean;
}
