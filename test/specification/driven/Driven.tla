-------------------------------- MODULE Driven --------------------------------
(***************************************************************************)
(* Behaviours of the specification that the code can be led through: each  *)
(* state names the action that led to it, and where the specification      *)
(* leaves a choice open the code takes one, so that this one is taken.     *)
(***************************************************************************)
EXTENDS Protocol, TLC, Known

VARIABLES
  did,     \* the action that led to this state, and what tells it from others of its kind
  ending,  \* chunks whose plan a cancelling call has put: the same call puts the summary
  luck     \* a random number

\* Imports are accepted at times of this order, also where the messages of a later one come first.
Order == <<"A", "B", "C">>
Rank(i) == CHOOSE k \in 1..3 : Order[k] = i
Oldest(imports) == CHOOSE i \in imports : \A j \in imports : Rank(i) <= Rank(j)
\* Imports of which no record counts any more come first.
First(imports, gone) == Oldest(IF imports \cap gone # {} THEN imports \cap gone ELSE imports)

IsOpen(i) == db.status[i] = "open"
Phase(r) == db.revert[r].phase

\* What could be taken at any time is taken once in a while.
Seldom == luck = 1

\* What the test compares with the table (shown.ts), each member as a set of tuples.
Shown == <<
  {<<i, db.status[i]>> : i \in Imports},
  {<<i>> : i \in {j \in db.cancelled : IsOpen(j)}},
  {<<i>> : i \in {j \in db.closing : IsOpen(j)}},
  {<<i>> : i \in db.reverted},
  {<<c, IF db.summary[c] = "ok" /\ db.plan[c].out = "erased" THEN "erased" ELSE db.summary[c]>> : c \in Chunks},
  {IF db.plan[c].out \in {"rejected", "erased"} THEN <<c, db.plan[c].out, None, None>> ELSE <<c, db.plan[c].out, db.plan[c].pair, db.plan[c].on>> :
     c \in {d \in Chunks : db.plan[d] # NoPlan}},
  {<<x.chunk, x.pair>> : x \in db.contributions},
  {<<id, db.bound[id]>> : id \in {k \in Ids : db.bound[k] # None}},
  {<<id>> : id \in {k \in Ids : db.mark[k] # 0}},
  db.notes,
  {<< <<db.by>> \o db.waiting, db.epoch>>},
  {<<r, Phase(r), IF Phase(r) \in {"giving", "removing"} THEN db.revert[r].at ELSE "">> : r \in {q \in Reverts \cup Erasures : Phase(q) # None}},
  {<<i>> : i \in {j \in Imports : db.report[j].put}},
  db.named
>>
State == <<did, {<<c, rec[c].pair, rec[c].content>> : c \in Chunks}, queue, {<<w, work[w].job>> : w \in Running}, Shown>>

\* Before TLC takes an action it finds each that is possible in the state: one of a name that is not known after the last is printed.
\* It evaluates once what depends on no variable.
Did(what) ==
  /\ did' = what /\ luck' = RandomElement(1..(6 + 0 * luck))
  /\ IF what[1] \in KnownAfter[did[1]] THEN TRUE ELSE PrintT(<<"or", State'>>)
Named(name, what) == Did(<<name, what>>) /\ UNCHANGED ending
Which(name, w, what) == Did(<<name, w, what>>) /\ UNCHANGED ending
LeftOut(was, is) == CHOOSE x \in was : x \notin is

SameAs(c, pair) == {ImportOf(x.chunk) : x \in {y \in db.contributions : IsSame(y, c, pair)}}
\* A user who is gone is not found.
DecidesNow(w) == db.gone /\ rec[work[w].job].pair = ErasedPair => work'[w].plan = Rejecting
ReliesOnOldest(w) ==
  LET plan == work'[w].plan
  IN "on" \in DOMAIN plan /\ plan.out = "unchanged" => plan.on = Oldest(SameAs(work[w].job, plan.pair))

OfChunk(w) ==
  \/ Decide(w) /\ DecidesNow(w) /\ ReliesOnOldest(w) /\ Named("Decide", w)
  \/ PutPlan(w) /\ Named("PutPlan", w)
  \/ LookAgain(w) /\ (work'[w].pc = "note" => ReliesOnOldest(w)) /\ Named("LookAgain", w)
  \/ Claim(w) /\ Named("Claim", w)
  \/ work[w].pc = "keep" /\ db.mark[IdOf[work[w].job]] # 0 /\ Keep(w) /\ Named("Keep", w)
  \* Where the mark is gone the code fails, and its message comes again: that costs no fault.
  \/ /\ work[w].pc = "keep" /\ db.mark[IdOf[work[w].job]] = 0
     /\ EndsWith(w, db, {work[w].job}, fence) /\ Named("Keep", w)
  \/ Write(w) /\ Named("Write", w)
  \/ Note(w) /\ Named("Note", w)
  \/ Summarise(w) /\ Named("Summarise", w)
  \/ Settle(w) /\ Named("Settle", w)

OfRevert(w) ==
  \/ TakeTurn(w) /\ Named("TakeTurn", w)
  \/ TakeGate(w) /\ Named("TakeGate", w)
  \/ Wait(w) /\ Named("Wait", w)
  \/ ReadImports(w) /\ Named("ReadImports", w)
  \/ StoreFirstFence(w) /\ Named("StoreFirstFence", w)
  \/ AfterFirstFence(w) /\ Named("AfterFirstFence", w)
  \/ ReadNotes(w) /\ Named("ReadNotes", w)
  \/ Given(w) /\ Named("Given", w)
  \/ ReadReport(w) /\ Named("ReadReport", w)
  \/ DecideReport(w) /\ Named("DecideReport", w)
  \/ PutReport(w) /\ Named("PutReport", w)
  \/ Removed(w) /\ Named("Removed", w)
  \/ PassGate(w) /\ Named("PassGate", w)
  \/ BeginNext(w) /\ (Phase(work[w].next) = "waiting" => db' # db) /\ Named("BeginNext", w)
  \/ Opened(w) /\ Named("Opened", w)
  \/ SendWaiting(w) /\ Named("SendWaiting", w)
  \/ Done(w) /\ Named("Done", w)
  \/ \E i \in Imports :
       /\ ReadRelying(w, i)
       /\ i = First({ImportOf(c) : c \in work[w].relying}, db.reverted \cup Together(work[w].job))
       /\ \A n \in work'[w].others : n[1] = Oldest(SameAs(n[2], db.plan[n[2]].pair) \ Together(work[w].job))
       /\ Named("ReadRelying", w)
  \/ GiveOwn(w) /\ Which("GiveOwn", w, LeftOut(db'.contributions, db.contributions).pair)
  \/ NoteNext(w) /\ Named("NoteNext", w)
  \/ ForgetNote(w) /\ Named("ForgetNote", w)
  \/ Remove(w) /\ Which("Remove", w, LeftOut(work[w].pairs, work'[w].pairs))
  \/ Free(w) /\ Which("Free", w, IdOf[LeftOut(work[w].freed, work'[w].freed)])
  \/ MarkReverted(w) /\ Which("MarkReverted", w, LeftOut(db'.reverted, db.reverted))

\* One chunk after the other.
Other(c) == IF c = "A1" THEN {"A0"} ELSE {}
IsNext(w, c) == Other(c) \cap (work[w].freed \cup work[w].own \cup work[w].others) = {}
OfErased(name, w, c) == IsNext(w, c) /\ Which(name, w, c)
Listed == {i \in Imports : db.status[i] # None}

OfErasure(w) ==
  \/ StoreErasureFence(w) /\ Named("StoreErasureFence", w)
  \/ AfterErasureFence(w) /\ Named("AfterErasureFence", w)
  \* The list has every import.
  \/ ListImports(w) /\ work'[w].page = Listed \ db.visited /\ Named("ListImports", w)
  \/ EraseEnds(w) /\ Listed \subseteq db.visited /\ Named("EraseEnds", w)
  \/ AfterSecondFence(w) /\ Named("AfterSecondFence", w)
  \/ ListAgain(w) /\ Named("ListAgain", w)
  \/ \E i \in Imports : ReadErased(w, i) /\ Which("ReadErased", w, i)
  \/ FreeErased(w) /\ OfErased("FreeErased", w, LeftOut(work[w].freed, work'[w].freed))
  \/ ErasePayload(w) /\ OfErased("ErasePayload", w, LeftOut(work[w].own, work'[w].own))
  \/ ErasePlan(w) /\ OfErased("ErasePlan", w, LeftOut(work[w].others, work'[w].others))
  \/ Erased(w) /\ Named("Erased", w)
  \/ ReadLearner(w) /\ Named("ReadLearner", w)
  \/ FreeLearner(w) /\ Which("FreeLearner", w, LeftOut(work[w].freed, work'[w].freed))
  \/ DeleteLearner(w) /\ Named("DeleteLearner", w)
  \/ LearnerDeleted(w) /\ Named("LearnerDeleted", w)
  \/ PassErasureGate(w) /\ Named("PassErasureGate", w)
  \/ SendAfterErasure(w) /\ Named("SendAfterErasure", w)
  \/ ForgetErasure(w) /\ Named("ForgetErasure", w)

\* It leaves something half done, which other actions are to find.
IsBetween(w) == work[w] # Idle /\ work[w].pc \in {"write", "note"}
IsHalf(c) == db.plan[c].out \notin {None, "rejected"} /\ db.plan[c].epoch = db.epoch

OfUnused(name, i, u) == Did(<<name, i, u[1], u[2]>>) /\ UNCHANGED ending

\* The watchdog waits while the gate is closed.
IsAbandoned(i) ==
  /\ db.by = None
  /\ \/ (Seldom \/ \E c \in ChunksOf[i] : IsUnused(c)) /\ AnnounceAbandoning(i) /\ Named("AnnounceAbandoning", i)
     \/ Abandon(i) /\ Named("Abandon", i)
     \/ MarkUnused(i) /\ Named("MarkUnused", i)
     \/ ReadUnused(i) /\ OfUnused("ReadUnused", i, LeftOut(db'.unused[i], db.unused[i]))

\* One call puts a plan and its summary.
EndsCancelled(i) ==
  /\ EndCancelled(i)
  /\ \E c \in ChunksOf[i] :
       \/ db'.plan[c] # db.plan[c] /\ ending' = ending \cup {c} /\ Did(<<"EndCancelled", c, "plan">>)
       \/ /\ db'.summary[c] # db.summary[c] /\ c \in ending
          /\ ending' = ending \ {c} /\ Did(<<"EndCancelled", c, "summary">>)

\* A copy that is not put is one whose call has died.
EndsCopied(copy) ==
  LET isPut == db'.plan # db.plan
      isCancelling == ImportOf(copy.chunk) \in db.cancelled
  IN /\ EndCopied(copy)
     /\ ending' = IF isPut /\ isCancelling THEN ending \cup {copy.chunk} ELSE ending
     /\ Did(<<"EndCopied", copy.chunk, IF copy.named THEN "named" ELSE "unnamed", IF isPut THEN "put" ELSE "dies">>)

\* Imports are listed by the time of their acceptance.
Accepts(i) == /\ Erasures # {} => \A j \in Imports : Rank(j) < Rank(i) => db.status[j] # None
              /\ Accept(i) /\ Named("Accept", i)

\* A run is reverted by what is left of it.
Requests(r) == Request(r) /\ (r \in RunReverts => Together(r) \cap db.reverted = {}) /\ Named("Request", r)

OfNobody ==
  \/ \E w \in Workers :
       \/ (Seldom \/ IsBetween(w)) /\ Kill(w) /\ Named("Kill", w)
       \/ \E c \in Chunks : (Seldom \/ ~IsHalf(c)) /\ ReadChunk(w, c) /\ Which("ReadChunk", w, c)
       \/ \E r \in Reverts \cup Erasures : ReadRevert(w, r) /\ Which("ReadRevert", w, r)
  \/ \E i \in Imports :
       \/ Accepts(i)
       \/ Seldom /\ Cancel(i) /\ Named("Cancel", i)
       \/ EndsCancelled(i)
       \/ WatchEnd(i) /\ Named("WatchEnd", i)
       \/ IsAbandoned(i)
       \/ FreeUnused(i) /\ OfUnused("FreeUnused", i, LeftOut(db.unused[i], db'.unused[i]))
  \/ \E id \in Ids : WaitAgain(id) /\ Named("WaitAgain", id)
  \/ \E c \in Chunks :
       \/ ImportOf(c) \notin db.closing /\ WatchChunk(c) /\ Named("WatchChunk", c)
       \/ Seldom /\ Remap(c) /\ Named("Remap", c)
  \/ \E r \in Reverts :
       \/ Requests(r)
       \/ WatchEarly(r) /\ Named("WatchEarly", r)
  \/ \E r \in Reverts \cup Erasures : (Phase(r) = "waiting" => Seldom) /\ WatchRevert(r) /\ Named("WatchRevert", r)
  \/ \E e \in Erasures : Seldom /\ Tell(e) /\ Named("Tell", e)
  \/ \E c \in Chunks :
       /\ ImportOf(c) \notin db.cancelled => db.by = None
       /\ CopyPayload(c) /\ Which("CopyPayload", c, IF CopyOf(c).named THEN "named" ELSE "unnamed")
  \/ \E copy \in db.copying : EndsCopied(copy)
  \/ \E m \in Chunks \cup Reverts \cup Erasures :
       \/ Seldom /\ Double(m) /\ Named("Double", m)
       \/ Seldom /\ Lose(m) /\ Named("Lose", m)
  \/ Seldom /\ Save /\ Did(<<"Save">>) /\ UNCHANGED ending
  \* The calls that ran have ended.
  \/ Seldom /\ Restore /\ Did(<<"Restore">>) /\ ending' = {}

DrivenInit == Init /\ did = <<"Init">> /\ ending = {} /\ luck = 2
DrivenNext == PrintT(State) /\ ((\E w \in Workers : OfChunk(w) \/ OfRevert(w) \/ OfErasure(w)) \/ OfNobody)
DrivenSpec == DrivenInit /\ [][DrivenNext]_<<vars, did, ending, luck>>

DrivenChunks == [i \in {"A", "B", "C"} |-> IF i = "A" THEN {"A0", "A1"} ELSE {i \o "0"}]
DrivenIds == [c \in {"A0", "A1", "B0", "C0"} |-> IF c = "A1" THEN "r-1" ELSE "r-0"]
Said(pair, content) == [pair |-> pair, content |-> content]
\* The records with the same id say the same as that of A, or more, or name another learner.
DrivenRecords == {r \in [Chunks -> {Said("p", 40), Said("p", 80), Said("q", 40)}] :
                    \A c \in ChunksOf["A"] : r[c] = Said("p", 40)}
DrivenSame == [Chunks -> {Said("p", 40)}]
DrivenReverts == [r \in Reverts |-> IF r = "run BC" THEN <<"B", "C">> ELSE <<CHOOSE i \in Imports : r = "revert " \o i>>]
===============================================================================
