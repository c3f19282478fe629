import { SIGNATURE_TYPES, VERIFICATION_REASONS } from '@bascule/contracts';
import type { SignatureType, VerificationReason } from '@bascule/contracts';
import { IsHexBytes, IsNestedArray } from '@bascule/validation';
import { ArrayMaxSize, ArrayMinSize, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import type { Hex } from 'viem';

const MAX_SIGNATURES = 10;
/** Characters of a signature: room for a contract account's owners and for its deployment (ERC-6492). */
const MAX_SIGNATURE = 20_000;

/** Signature of one verification. */
class SignatureDto {
  /** `reason` of the verification. */
  @IsIn(VERIFICATION_REASONS)
  reason!: VerificationReason;

  /** `signature_type` of the verification. */
  @IsOptional()
  @IsIn(SIGNATURE_TYPES)
  signature_type?: SignatureType;

  /** Signature of the owner, or of its contract (ERC-1271, ERC-6492). */
  @IsHexBytes()
  @MaxLength(MAX_SIGNATURE)
  signature!: Hex;
}

/** The continue form of `POST /payments/confirm`. */
export class ContinueConfirmationDto {
  /** `verification_token` of the instruction. */
  @IsString()
  verification_token!: string;

  /** Signatures that the instruction asks for. */
  @IsNestedArray(() => SignatureDto)
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_SIGNATURES)
  signatures!: SignatureDto[];
}
