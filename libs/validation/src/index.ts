export {
  IsAsset,
  IsDecimalAmount,
  IsEvmAddress,
  IsFiatCode,
  IsHexBytes,
  IsNested,
  IsNestedArray,
  IsNestedOneOf,
  IsPaginationKey,
  IsProviderName,
  IsQueryBoolean,
  IsQueryInteger,
  IsTokenIdentifier,
  IsUuid,
} from './decorators.js';
export { RequestValidationPipe } from './request-validation.pipe.js';
