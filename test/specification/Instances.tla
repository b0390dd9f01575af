------------------------------ MODULE Instances ------------------------------
(* The imports, records and reverts of the small instances that instances.ts names. *)
EXTENDS Protocol, TLC

Symmetric == Permutations(Workers)
Record(pair, content, at) == [pair |-> pair, content |-> content, replaces |-> FALSE, at |-> at]
Replacing(pair, content, at) == [Record(pair, content, at) EXCEPT !.replaces = TRUE]

\* One import of one record.
ChunksA == [i \in {"A"} |-> {i}]
IdsA == [c \in {"A"} |-> "id"]
RecordsA == {[c \in {"A"} |-> Record("p", "a", 1)]}

\* Two imports, A and B, of one record each, with the same id. B says the same as A, or more, or names another pair. Imports are
\* accepted in the order of their names, where nothing else is said.
ChunksAB == [i \in {"A", "B"} |-> {i}]
IdsAB == [c \in {"A", "B"} |-> "id"]
RecordsAB == {[c \in {"A", "B"} |-> IF c = "A" THEN Record("p", "a", 1) ELSE b] :
                b \in {Record("p", "a", 2), Record("p", "b", 2), Record("q", "a", 2)}}
\* B was accepted before A, and is stored after it.
RecordsLate == {[c \in {"A", "B"} |-> IF c = "A" THEN Record("p", "a", 2) ELSE Record("p", "a", 1)]}

\* Three imports.
ChunksABC == [i \in {"A", "B", "C"} |-> {i}]
IdsABC == [c \in {"A", "B", "C"} |-> "id"]
OfABC(a, b, c) == [i \in {"A", "B", "C"} |-> IF i = "A" THEN a ELSE IF i = "B" THEN b ELSE c]
RecordsABC == {OfABC(Record("p", "a", 1), b, c) :
                b \in {Record("p", "a", 2), Record("p", "b", 2), Record("q", "a", 2)},
                c \in {Record("p", "a", 3), Record("p", "b", 3), Record("q", "a", 3), Record("q", "b", 3)}}
\* B says the same as A. C says the same too, or names another pair.
RecordsSame == {r \in RecordsABC : r["B"] = Record("p", "a", 2) /\ r["C"] \in {Record("p", "a", 3), Record("q", "a", 3)}}
\* B replaces, and C may: what A says, and C says again, or something else.
RecordsReplaced == {OfABC(Record("p", "a", 1), b, c) :
                     b \in {Replacing("p", "a", 2), Replacing("p", "b", 2)},
                     c \in {Record("p", "a", 3), Record("p", "b", 3), Replacing("p", "a", 3)}}

\* A has two chunks, with an id each.
ChunksA2B == [i \in {"A", "B"} |-> IF i = "A" THEN {"A1", "A2"} ELSE {"B"}]
IdsA2B == [c \in {"A1", "A2", "B"} |-> IF c = "A2" THEN "id2" ELSE "id"]
RecordsA2B == {[c \in {"A1", "A2", "B"} |-> IF c = "B" THEN b ELSE Record("p", "a", 1)] :
                b \in {Record("p", "a", 2), Record("p", "b", 2), Record("q", "a", 2)}}

\* A is of no plan. B, of the plan, replaces; C, of the plan too, may.
RecordsPlanned == {OfABC(Record("p", "a", 1), b, c) :
                    b \in {Replacing("p", "a", 2), Replacing("p", "b", 2)},
                    c \in {Record("p", "a", 3), Replacing("p", "a", 3), Replacing("p", "b", 3)}}
\* A says something. B, of the plan, replaces it, or what another import says in its place.
RecordsReplacing == {[c \in {"A", "B"} |-> IF c = "A" THEN Record("p", "a", 1) ELSE b] :
                      b \in {Replacing("p", "a", 2), Replacing("p", "b", 2)}}
\* Nobody has the name of the record.
RecordsUnknown == {[c \in {"A"} |-> Record("none", "a", 1)]}

\* Which imports a plan makes, of the dry run at which place.
PlacesA1 == [i \in {"A"} |-> 1]
PlacesB1 == [i \in {"B"} |-> 1]
PlacesA1B1 == [i \in {"A", "B"} |-> 1]
PlacesA1B2 == [i \in {"A", "B"} |-> IF i = "A" THEN 1 ELSE 2]
PlacesB1C2 == [i \in {"B", "C"} |-> IF i = "B" THEN 1 ELSE 2]
PlacesC1 == [i \in {"C"} |-> 1]

RevertNone == [r \in {} |-> <<>>]
RevertA == [r \in {"revert A"} |-> <<"A">>]
RevertAandB == [r \in {"revert A", "revert B"} |-> IF r = "revert A" THEN <<"A">> ELSE <<"B">>]
RevertEachOfABC == [r \in {"revert A", "revert B", "revert C"} |->
  IF r = "revert A" THEN <<"A">> ELSE IF r = "revert B" THEN <<"B">> ELSE <<"C">>]
RevertRun == [r \in {"revert run"} |-> <<"A", "B">>]
RevertRunAndA == [r \in {"revert run", "revert A"} |-> IF r = "revert run" THEN <<"A", "B">> ELSE <<"A">>]
==============================================================================
