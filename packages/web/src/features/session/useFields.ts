import { useLayoutEffect, useRef, useState, type Ref } from 'react';
import { useSubmission } from '../../hooks/submission.ts';
import { usePasswordWords } from '../../i18n/password.ts';
import { useSessionWords } from '../../i18n/session.ts';
import type { Failure } from '../../model/connection/failure.ts';
import { complaintAbout, refusedField, trimmed, type FieldName, type Occasion, type Values } from './fields.ts';

interface Field {
  readonly value: string;
  readonly complaint: string | undefined;
  readonly onValue: (value: string) => void;
  readonly ref: Ref<HTMLInputElement>;
}

export interface Fields {
  of(name: FieldName): Field;
  submit(): void;
  readonly busy: boolean;
  readonly failure: Failure | undefined;
}

export const emailInput = { type: 'email', autoComplete: 'username', autoCapitalize: 'none', spellCheck: false } as const;

const empty: Values = { code: '', organisation: '', name: '', reading: '', email: '', password: '' };

interface FieldsOptions {
  readonly names: readonly FieldName[];
  readonly occasion: Occasion;
  readonly begin?: Partial<Values>;
  readonly send: (values: Values) => Promise<Failure | undefined>;
}

/** Error messages appear after the first submit (R4.12). The first empty field of `names` gets the focus. */
export function useFields({ names, occasion, begin = {}, send }: FieldsOptions): Fields {
  const words = useSessionWords();
  const password = usePasswordWords();
  const [values, setValues] = useState<Values>({ ...empty, ...begin });
  const [submitted, setSubmitted] = useState(false);
  const { busy, failure, submit } = useSubmission();
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
    // The error of the server is shown until the refused value changes.
    return refused?.name === name && refused.value === values[name] ? sentenceOf(name, refused.complaint) : undefined;
  };

  const sendValues = async () => {
    const failed = await send(trimmed(values));
    const about = failed && refusedField(failed);
    if (!about || !names.includes(about.name)) return failed;
    setRefused({ ...about, value: values[about.name] });
    inputs.current.get(about.name)?.focus();
    return undefined;
  };

  return {
    of: (name) => ({
      value: values[name],
      complaint: complaintIn(name),
      onValue: (value) => setValues((before) => ({ ...before, [name]: value })),
      ref: (input) => void inputs.current.set(name, input),
    }),
    submit: () => {
      setSubmitted(true);
      const wrong = names.find((name) => complaintAbout(name, values[name], occasion) !== undefined);
      if (wrong) inputs.current.get(wrong)?.focus();
      else void submit(sendValues);
    },
    busy,
    failure,
  };
}
