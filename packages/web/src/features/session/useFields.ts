import { useLayoutEffect, useRef, useState, type Ref } from 'react';
import { usePasswordWords } from '../../i18n/password.ts';
import { useSessionWords } from '../../i18n/session.ts';
import type { Failure } from '../../model/connection/failure.ts';
import { complaintAbout, refusedField, trimmed, type FieldName, type Occasion, type Values } from './fields.ts';

/** One field, as its input wants it. */
export interface Field {
  readonly value: string;
  readonly complaint: string | undefined;
  readonly onValue: (value: string) => void;
  readonly ref: Ref<HTMLInputElement>;
}

export interface Fields {
  of(name: FieldName): Field;
  submit(): void;
  readonly busy: boolean;
  /** Why it could not be done, where that is about no field. */
  readonly failure: Failure | undefined;
}

const empty: Values = { code: '', organisation: '', name: '', reading: '', email: '', password: '' };

/**
 * What a form outside asks. Complaints come once somebody has tried (R4.12), and what was typed stays, whatever comes of
 * it. What could not be done is tried again by submitting again.
 * @param names in the order in which they stand. The first of them that is empty has the focus.
 * @param send answers why it could not be done.
 */
export function useFields({
  names,
  occasion,
  begin = {},
  send,
}: {
  readonly names: readonly FieldName[];
  readonly occasion: Occasion;
  readonly begin?: Partial<Values>;
  readonly send: (values: Values) => Promise<Failure | undefined>;
}): Fields {
  const words = useSessionWords();
  const password = usePasswordWords();
  const [values, setValues] = useState<Values>({ ...empty, ...begin });
  const [submitted, setSubmitted] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [refused, setRefused] = useState<{ readonly name: FieldName; readonly complaint: string; readonly value: string }>();
  const inputs = useRef(new Map<FieldName, HTMLInputElement | null>());
  const first = useRef(names.find((name) => values[name] === ''));
  useLayoutEffect(() => {
    if (first.current) inputs.current.get(first.current)?.focus();
  }, []);

  const sentenceOf = (name: FieldName, complaint: string | undefined): string | undefined => {
    const isNewPassword = name === 'password' && occasion === 'new';
    const said: Readonly<Record<string, string>> = isNewPassword ? password.complaints : words.complaints[name];
    return said[complaint ?? ''];
  };

  const complaintIn = (name: FieldName): string | undefined => {
    const own = complaintAbout(name, values[name], occasion);
    if (own !== undefined) return submitted ? sentenceOf(name, own) : undefined;
    // As long as it stands there as it was refused.
    return refused?.name === name && refused.value === values[name] ? sentenceOf(name, refused.complaint) : undefined;
  };

  const submit = async () => {
    setSubmitted(true);
    const wrong = names.find((name) => complaintAbout(name, values[name], occasion) !== undefined);
    if (wrong) {
      inputs.current.get(wrong)?.focus();
      return;
    }
    setBusy(true);
    setFailure(undefined);
    const found = await send(trimmed(values));
    setBusy(false);
    const about = found && refusedField(found);
    if (about && names.includes(about.name)) {
      setRefused({ ...about, value: values[about.name] });
      inputs.current.get(about.name)?.focus();
    } else {
      setFailure(found);
    }
  };

  return {
    of: (name) => ({
      value: values[name],
      complaint: complaintIn(name),
      onValue: (value) => setValues((before) => ({ ...before, [name]: value })),
      ref: (input) => void inputs.current.set(name, input),
    }),
    submit: () => {
      if (!busy) void submit();
    },
    busy,
    failure,
  };
}
