------------------------------ MODULE RunCounts ------------------------------
(***************************************************************************)
(* The counts of a run, and what readers keep of them (§4.9):              *)
(* functions/imports/run-counts.ts, and `putRun` of import-lists.ts.       *)
(* Each acceptance has a time of its own.  A time becomes old when no      *)
(* acceptance is under way: in the code five minutes stand for that.       *)
(* Nothing that is counted of an import changes after its end              *)
(* (EndedIsComplete and ResultsStay of Protocol.tla), whether it is        *)
(* reverted, its person is erased, or what it stored expires.              *)
(***************************************************************************)
EXTENDS Naturals, TLC
CONSTANTS
  Imports, \* numbers, in the order of their places in the index
  First,   \* how many have ended before
  Planned, \* those that the driver of a plan accepts
  Readers, Latest, None,
  NotedFirst,    \* the run notes the time of an import before that is stored
  DriverNotes,   \* and that of a driver, before it accepts
  BegunCompared, \* of a run that has another time, what is kept is not all
  PlaceNamed,    \* nor where the sum ends elsewhere than the reader said who found the run at rest
  BegunOld,      \* a run is at rest only if its time is old
  AllOld,        \* and that of each import that was found
  AllEnded,      \* and each of these has ended
  SumOld,        \* a sum ends before imports that are not old
  LongEnough,    \* an acceptance is old when those that met it are over, too
  OpenKept,      \* imports that are open are kept beside the sum
  KeptStays      \* where a sum ends, another reader has found all to be old
VARIABLES
  now, old,      \* the last time, and up to which time each is old
  at,            \* the time of each import: created_at
  state, noted, listed,
  driver,        \* since when the driver accepts
  begun,         \* the time that the run has: begun_at
  kept, reader
vars == <<now, old, at, state, noted, listed, driver, begun, kept, reader>>

Symmetric == Permutations(Readers)
Nothing == [upTo |-> 0, open |-> {}, ended |-> {}, rests |-> None]
Idle == [pc |-> "idle", had |-> {}, begun |-> None, since |-> 0, kept |-> Nothing]
Init == /\ now = First /\ old = First /\ at = [i \in Imports |-> IF i <= First THEN i ELSE 0]
        /\ state = [i \in Imports |-> IF i <= First THEN "ended" ELSE "none"] /\ noted = 1..First /\ listed = 1..First
        /\ driver = None /\ begun = (IF First = 0 THEN None ELSE First) /\ kept = Nothing /\ reader = [r \in Readers |-> Idle]

Stored == {i \in Imports : state[i] \in {"open", "ended"}}
Ended == {i \in Imports : state[i] = "ended"}
IsNext(i) == state[i] = "none" /\ \A j \in Imports : j < i => state[j] # "none"
Begins(i, as) == /\ IsNext(i) /\ now < Latest /\ now' = now + 1
                 /\ state' = [state EXCEPT ![i] = as] /\ at' = [at EXCEPT ![i] = now + 1]

(* Imports: accept.ts, plans/steps.ts. *)
Begin(i) == i \notin Planned /\ Begins(i, "begun") /\ UNCHANGED <<old, noted, listed, driver, begun, kept, reader>>
\* The later write counts, also if its time is the earlier one.
Note(i) == /\ state[i] \notin {"none", "gone"} /\ i \notin noted \cup Planned /\ noted' = noted \cup {i} /\ begun' = at[i]
           /\ UNCHANGED <<now, old, at, state, listed, driver, kept, reader>>
Store(i) == /\ state[i] = "begun" /\ (NotedFirst => i \in noted) /\ state' = [state EXCEPT ![i] = "open"]
            /\ UNCHANGED <<now, old, at, noted, listed, driver, begun, kept, reader>>
\* Its function died before it was stored. A write that comes late is that of a slow function.
Fail(i) == /\ state[i] = "begun" /\ state' = [state EXCEPT ![i] = "gone"]
           /\ UNCHANGED <<now, old, at, noted, listed, driver, begun, kept, reader>>
DriverNote == /\ driver = None /\ (\E i \in Planned : IsNext(i)) /\ now < Latest /\ now' = now + 1
              /\ driver' = now + 1 /\ begun' = IF DriverNotes THEN now + 1 ELSE begun
              /\ UNCHANGED <<old, at, state, noted, listed, kept, reader>>
DriverStore(i) == /\ driver # None /\ i \in Planned /\ Begins(i, "open")
                  /\ UNCHANGED <<old, noted, listed, driver, begun, kept, reader>>
DriverEnds == driver # None /\ driver' = None /\ UNCHANGED <<now, old, at, state, noted, listed, begun, kept, reader>>
\* The index has it.
List(i) == /\ i \in Stored \ listed /\ listed' = listed \cup {i}
           /\ UNCHANGED <<now, old, at, state, noted, driver, begun, kept, reader>>
End(i) == /\ state[i] = "open" /\ state' = [state EXCEPT ![i] = "ended"]
          /\ UNCHANGED <<now, old, at, noted, listed, driver, begun, kept, reader>>
IsUnderWay(i) == \/ state[i] = "begun" \/ i \in Stored \ listed
                 \/ state[i] \notin {"none", "gone"} /\ i \notin noted \cup Planned
Age == /\ \E time \in old + 1..now :
            /\ \A i \in Imports : IsUnderWay(i) => ~LongEnough /\ at[i] > time
            /\ driver # None => ~LongEnough /\ driver > time
            /\ old' = time
       /\ UNCHANGED <<now, at, state, noted, listed, driver, begun, kept, reader>>

(* A reader: runs/read.ts, run-counts.ts. *)
ReadRun(r) == /\ reader[r] = Idle
              /\ reader' = [reader EXCEPT ![r] = [Idle EXCEPT !.pc = "run", !.had = Stored, !.begun = begun, !.since = old]]
              /\ UNCHANGED <<now, old, at, state, noted, listed, driver, begun, kept>>
IsAtRest(me) == /\ kept.open = {} /\ kept.rests # None
                /\ BegunCompared => kept.rests[1] = me.begun
                /\ PlaceNamed => kept.rests[2] = kept.upTo
ReadKept(r) ==
  LET me == reader[r]
  IN /\ me.pc = "run"
     /\ reader' = [reader EXCEPT ![r] = IF IsAtRest(me) THEN Idle ELSE [me EXCEPT !.pc = "kept", !.had = {}, !.kept = kept]]
     /\ UNCHANGED <<now, old, at, state, noted, listed, driver, begun, kept>>
Largest(numbers) == CHOOSE n \in numbers : \A m \in numbers : m <= n
\* Old is for it what was so at any moment since it read the run: it waited for an answer, or its clock is behind.
Look(r) ==
  LET me == reader[r]
      was == me.kept
      left == was.open \cup {i \in listed : i > was.upTo}
      isOld(time, by) == time <= by \/ (KeptStays /\ was.upTo # 0 /\ time <= at[was.upTo])
      before(by) == {i \in left : SumOld => isOld(at[i], by)}
      endsAt(some) == Largest({was.upTo} \cup some)
      grown(by) == [upTo |-> endsAt(before(by)), open |-> IF OpenKept THEN before(by) \ Ended ELSE {},
                    ended |-> was.ended \cup (before(by) \cap Ended), rests |-> None]
      resting == [upTo |-> endsAt(left), open |-> {}, ended |-> was.ended \cup left, rests |-> <<me.begun, endsAt(left)>>]
      rests(by) == /\ me.begun # None /\ (BegunOld => isOld(me.begun, by))
                   /\ (AllOld => before(by) = left) /\ (AllEnded => left \subseteq Ended)
      keeps(k) == [Idle EXCEPT !.pc = "keep", !.kept = k]
  IN /\ me.pc = "kept"
     /\ \E by \in me.since..old :
          reader' = [reader EXCEPT ![r] = IF rests(by) THEN keeps(resting)
                                          ELSE IF before(by) \cap Ended = {} THEN Idle ELSE keeps(grown(by))]
     /\ UNCHANGED <<now, old, at, state, noted, listed, driver, begun, kept>>
\* A sum alone leaves what was said of a run at rest.
Keep(r) == /\ reader[r].pc = "keep" /\ reader' = [reader EXCEPT ![r] = Idle]
           /\ kept' = LET k == reader[r].kept IN IF k.rests = None THEN [k EXCEPT !.rests = kept.rests] ELSE k
           /\ UNCHANGED <<now, old, at, state, noted, listed, driver, begun>>

Next == \/ Age \/ DriverNote \/ DriverEnds
        \/ \E i \in Imports : Begin(i) \/ Note(i) \/ Store(i) \/ Fail(i) \/ DriverStore(i) \/ List(i) \/ End(i)
        \/ \E r \in Readers : ReadRun(r) \/ ReadKept(r) \/ Look(r) \/ Keep(r)
Spec == Init /\ [][Next]_vars

\* Each import up to the end of a sum is in it once, or beside it while it is open. All others are read.
SumIsRight == \A k \in {kept} \cup {reader[r].kept : r \in Readers} :
  /\ k.ended \cap k.open = {} /\ k.ended \subseteq Ended
  /\ \A i \in Stored : i <= k.upTo <=> i \in k.ended \cup k.open
\* What is answered from what is kept alone has each import that was stored when the run was read.
RestIsWhole == \A r \in Readers : reader[r].pc = "run" /\ IsAtRest(reader[r]) => reader[r].had \subseteq kept.ended
==============================================================================
