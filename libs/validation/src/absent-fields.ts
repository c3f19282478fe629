import { getMetadataStorage } from 'class-validator';

const optionalFields = new WeakMap<object, ReadonlySet<string>>();

function optionalFieldsOf(target: object): ReadonlySet<string> {
  const known = optionalFields.get(target.constructor);
  if (known !== undefined) return known;
  const fields = new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(target.constructor, '', false, false)
      .filter((metadata) => metadata.name === 'isOptional')
      .map((metadata) => metadata.propertyName),
  );
  optionalFields.set(target.constructor, fields);
  return fields;
}

/** An omitted field, or an optional one set to null, is absent: its type has neither `undefined` nor `null`. */
export function dropAbsentFields(value: unknown): void {
  if (Array.isArray(value)) {
    value.forEach(dropAbsentFields);
    return;
  }
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return;
  const optional = optionalFieldsOf(value);
  for (const [key, field] of Object.entries(value)) {
    if (field === undefined || (field === null && optional.has(key)))
      Reflect.deleteProperty(value, key);
    else dropAbsentFields(field);
  }
}
