-------------------------------- MODULE Plans --------------------------------
(***************************************************************************)
(* A migration: dry runs, their plan, and its application (§4.11):         *)
(* functions/plans, one action for each call to the table.  The driver     *)
(* takes turns as a revert does; `at` is the place of the next dry run.    *)
(* What a record of a plan may do is AsPlanned in Imports.                 *)
(***************************************************************************)
EXTENDS Erasure

\* How many dry runs the plan has.
Places == Cardinality({PlaceOfDryRun[i] : i \in PlanImports})

SetsStatus(status) == Changes([db EXCEPT !.application.status = status])

\* A dry run stores what its record would do, and what counts of its id where the plan would guard that.
DryRun(c) ==
  LET i == ImportOf(c)
      isGuarded(out) == rec[c].replaces \/ out = "unchanged"
      planned(d) == [out |-> d.out, pair |-> rec[c].pair, content |-> rec[c].content,
                     over |-> IF isGuarded(d.out) THEN Over(c) ELSE {}, named |-> FALSE, keeps |-> d = Kept]
  IN /\ c \in PlanChunks /\ db.planned[c] = NoPlan
     /\ db.application.status = None /\ ~db.gone
     /\ Alone => \A j \in Imports \ PlanImports : db.status[j] = "ended"
     /\ \E d \in Decisions(c, db.epoch, {}) :
          Changes([db EXCEPT !.planned[c] = planned(d), !.named = IF NamesPerson(c) THEN @ \cup {<<"report", c>>} ELSE @])

MakePlan(p) ==
  /\ db.application.status = None
  /\ \A c \in PlanChunks : db.planned[c] # NoPlan
  /\ SetsStatus("waiting")

Approve(p) == db.application.status = "waiting" /\ SetsStatus("approved")
Withdraw(p) == db.application.status \in {"waiting", "approved"} /\ SetsStatus("withdrawn")

Apply(p) ==
  /\ db.application.status \in {"waiting", "approved"}
  /\ db' = [db EXCEPT !.application.status = "applying", !.revert[p] = [phase |-> "applying", at |-> 1]]
  /\ queue' = queue \cup {p}
  /\ UNCHANGED <<rec, work, fence, faults>>

\* The call first notes that the plan is cancelled, which is a newer version of it. Then it cancels the imports that it finds open, or dies.
CancelPlan(p) ==
  /\ p \in Cancellable /\ db.application.status = "applying" /\ ~db.application.cancelled
  /\ db' = [db EXCEPT !.application.cancelled = TRUE]
  /\ work' = OutdatedBy(work, {}, p)
  /\ UNCHANGED <<rec, queue, fence, faults>>

Open(places) == {i \in PlanImports : db.status[i] = "open" /\ PlaceOfDryRun[i] \in places}

CancelOpen(p) ==
  /\ db.application = [status |-> "applying", cancelled |-> TRUE]
  /\ \E i \in Open(1..Places) \ db.cancelled : Changes([db EXCEPT !.cancelled = @ \cup {i}])

(***************************************************************************)
(* steps.ts: the driver.  It is the only one that accepts imports of a     *)
(* plan, one after the other.                                              *)
(***************************************************************************)

\* The gate is read strongly. Who waits is begun again by the watchdog.
ReadGateForPlan(w) ==
  LET me == work[w]
      next == IF db.application.cancelled THEN "cancel last" ELSE IF At(w) > Places THEN "look" ELSE "stage"
      waits == IF DriverWaits THEN db.by # None ELSE IsClosed
  IN /\ me.pc = "applying"
     /\ IF waits /\ next = "stage" THEN Ends(w, db) ELSE GoesOn(w, To(w, next), db)

\* Copies the report into payloads, and notes an import that replaces. A copy that was not committed may be there.
ImportsAt(k) == {i \in PlanImports : PlaceOfDryRun[i] = k /\ (IdsOfPlaces => i = CHOOSE j \in PlanImports : PlaceOfDryRun[j] = k)}
Committed(i) == db.status[i] # None

\* A step applies the dry runs up to a place: up to the last one, or, as where there are very many, this one alone.
StageNext(w) ==
  LET me == work[w]
      places == IF CommitsInTurn THEN {At(w), Places} ELSE At(w)..Places
      before(k) == IF CommitsInTurn THEN {i \in PlanImports : PlaceOfDryRun[i] \in At(w)..(k - 1)} ELSE {}
      copy(c) == IF db.staged[c] # NoPlan /\ ~StagedAgain THEN db.staged[c]
                 ELSE [db.planned[c] EXCEPT !.named = <<"report", c>> \in db.named]
  IN /\ me.pc = "stage"
     /\ \E k \in places : \E i \in ImportsAt(k) :
          LET new == {j \in before(k) \cup {i} : ~Committed(j)}
          IN GoesOn(w, [me EXCEPT !.pc = IF new = {} THEN "move on" ELSE "commit", !.own = new,
                                  !.page = {IF CommitsInTurn THEN k ELSE At(w)}],
                    [db EXCEPT !.staged = [c \in PlanChunks |-> IF ImportOf(c) \in new THEN copy(c) ELSE @[c]],
                               !.replacing = @ \cup {j \in new : Replaces(j)}])

\* If absent, one after the other. The place in the order of acceptance is later than that of all imports that are there.
CommitNext(w) ==
  LET new == work[w].own
      i == CHOOSE j \in new : \A k \in new : PlaceOfDryRun[j] <= PlaceOfDryRun[k]
  IN /\ work[w].pc = "commit"
     /\ Replaces(i) => \A k \in Imports : PlaceOf(k) > PlaceOf(i) => db.status[k] = None
     /\ work' = [work EXCEPT ![w].pc = IF new = {i} THEN "move on" ELSE "commit", ![w].own = @ \ {i}]
     /\ db' = IF Committed(i) THEN db
              ELSE [db EXCEPT !.status[i] = "open",
                              !.named = @ \cup {<<"payload", c>> : c \in {d \in ChunksOf[i] : db.staged[d].named}}]
     /\ queue' = IF Committed(i) THEN queue ELSE queue \cup ChunksOf[i]
     /\ UNCHANGED <<rec, fence, faults>>

\* A cancel meanwhile made the version that was read an earlier one: then the place stays as it is.
MoveOn(w) ==
  /\ work[w].pc = "move on"
  /\ Moved(w, "applying", (CHOOSE k \in work[w].page : TRUE) + 1)

\* What this driver, or one before it, has accepted: also what lies behind the stored place.
Reached(w) == 1..(IF LooksAhead THEN Places ELSE At(w) - 1)

CancelLast(w) ==
  /\ work[w].pc = "cancel last"
  /\ GoesOn(w, To(w, "look"), IF LastCancels THEN [db EXCEPT !.cancelled = @ \cup Open(Reached(w))] ELSE db)

\* Waits for the imports.
EndPlan(w) ==
  LET reached == IF db.application.cancelled THEN Reached(w) ELSE 1..Places
      isOver == Open(reached) = {} \/ (IF db.application.cancelled THEN ~LastCancels ELSE ~EndsLast)
      status == IF db.application.cancelled THEN "cancelled" ELSE "applied"
  IN /\ work[w].pc = "look"
     /\ IF ~isOver THEN Ends(w, db)
        ELSE MovedWith(w, "done", At(w), [db EXCEPT !.application.status = status])

PlanStep(w) == ReadGateForPlan(w) \/ StageNext(w) \/ CommitNext(w) \/ MoveOn(w) \/ CancelLast(w) \/ EndPlan(w)
==============================================================================
