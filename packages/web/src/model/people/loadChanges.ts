/** State changes for answers of `departments`, `directory` and `profile` calls, and for their failures. */
import type { DepartmentNode, DirectoryEntry } from '@engawa/protocol/product';
import type { Failure } from '../connection/failure.ts';
import type { PeopleState } from './state.ts';

export function departmentsLoaded<S extends PeopleState>(state: S, departments: readonly DepartmentNode[]): S {
  return { ...state, departments, departmentsFailure: undefined };
}

export function departmentsFailed<S extends PeopleState>(state: S, departmentsFailure: Failure | undefined): S {
  return { ...state, departmentsFailure };
}

export function directoryLoaded<S extends PeopleState>(state: S, people: readonly DirectoryEntry[]): S {
  return { ...state, directory: new Map(people.map((each) => [each.user_id, each])) };
}

export function profileFailed<S extends PeopleState>(state: S, profileFailure: Failure): S {
  return { ...state, profileFailure };
}
